package io.github.bloomgate;

import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** Other topologies of Redis, and observed services. */
@IncludeClassNamePatterns({
  ".*\\.ClusterContractTest",
  ".*\\.ClusterFaultsTest",
  ".*\\.FilterGaugesTest",
  ".*\\.MovingSlotsTest",
  ".*\\.SecuredRedisTest",
  ".*\\.SentinelTest",
  ".*\\.TracingTest"
})
class SlowRedisSuite extends SlowSuite {}
