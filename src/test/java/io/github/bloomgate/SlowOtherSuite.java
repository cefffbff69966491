package io.github.bloomgate;

import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** Slow tests that use the application of the quick build, and others to balance the suites. */
@IncludeClassNamePatterns({
  ".*\\.FilterGaugesTest",
  ".*\\.FilterNamesTest",
  ".*\\.GeneratedClientsTest",
  ".*\\.HttpFuzzTest",
  ".*\\.LibraryFilesTest",
  ".*\\.LibraryFiltersTest",
  ".*\\.LongRunTest",
  ".*\\.ManagementPortTest",
  ".*\\.MonitoringDocTest",
  ".*\\.PortableFileTest",
  ".*\\.RedisBloomFiltersTest",
  ".*\\.RedissonFiltersTest",
  ".*\\.SampledTracingTest",
  ".*\\.SlowReaderTest",
  ".*\\.TracingTest"
})
class SlowOtherSuite extends SlowSuite {}
