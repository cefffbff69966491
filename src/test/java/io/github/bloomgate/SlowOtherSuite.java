package io.github.bloomgate;

import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** Slow tests that use the application of the quick build, and others to balance the suites. */
@IncludeClassNamePatterns({
  ".*\\.BitsAndBloomsFilesTest",
  ".*\\.FilterGaugesTest",
  ".*\\.GuavaFilesTest",
  ".*\\.HttpFuzzTest",
  ".*\\.ImportTest",
  ".*\\.LibraryFiltersTest",
  ".*\\.ManagementPortTest",
  ".*\\.MonitoringDocTest",
  ".*\\.RedisBloomFiltersTest",
  ".*\\.RedissonAdoptionTest",
  ".*\\.RedissonChangesTest",
  ".*\\.SampledTracingTest",
  ".*\\.SlowReaderTest",
  ".*\\.TracingTest"
})
class SlowOtherSuite extends SlowSuite {}
