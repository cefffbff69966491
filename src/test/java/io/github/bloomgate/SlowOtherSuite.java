package io.github.bloomgate;

import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** Slow tests that use the application of the quick build. */
@IncludeClassNamePatterns({
  ".*\\.AdoptionTest",
  ".*\\.BitsAndBloomsFilesTest",
  ".*\\.GuavaFilesTest",
  ".*\\.GuavaRedisHelperFiltersTest",
  ".*\\.HttpFuzzTest",
  ".*\\.ImportTest",
  ".*\\.LibraryFiltersTest",
  ".*\\.MonitoringDocTest",
  ".*\\.RedisBloomFiltersTest",
  ".*\\.RedissonAdoptionTest",
  ".*\\.RedissonChangesTest",
  ".*\\.RedissonRefusalsTest"
})
class SlowOtherSuite extends SlowSuite {}
