package io.github.bloomgate;

import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** Tests of requests with settings of their own, and other tests with the same settings. */
@IncludeClassNamePatterns({
  ".*\\.ClientSharesTest",
  ".*\\.ConsoleKeysInChromiumTest",
  ".*\\.KeyQuotaTest",
  ".*\\.PrivateSourceTest",
  ".*\\.ProblemTest",
  ".*\\.ProxiesTest",
  ".*\\.RateLimitsTest",
  ".*\\.RedisCallsTest",
  ".*\\.SlowClientsTest"
})
class SlowHttpSuite extends SlowSuite {}
