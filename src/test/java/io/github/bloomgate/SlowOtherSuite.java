package io.github.bloomgate;

import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** Other tests of the application of the quick build. */
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
