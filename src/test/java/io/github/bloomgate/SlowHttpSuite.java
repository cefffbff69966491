package io.github.bloomgate;

import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** Requests to services with settings of their own, and what shares those settings. */
@IncludeClassNamePatterns({
  ".*\\.ClientSharesTest",
  ".*\\.ConsoleKeysInChromiumTest",
  ".*\\.KeyQuotaOfKindsTest",
  ".*\\.KeyQuotaTest",
  ".*\\.ManagementPortTest",
  ".*\\.ProblemTest",
  ".*\\.ProxiesTest",
  ".*\\.RateLimitsTest",
  ".*\\.RedisCallsTest",
  ".*\\.SlowClientsTest",
  ".*\\.SlowReaderTest"
})
class SlowHttpSuite extends SlowSuite {}
