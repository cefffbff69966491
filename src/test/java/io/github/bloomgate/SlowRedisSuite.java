package io.github.bloomgate;

import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** Topologies of Redis. */
@IncludeClassNamePatterns({
  ".*\\.ClusterContractTest",
  ".*\\.ClusterFaultsTest",
  ".*\\.MovingSlotsTest",
  ".*\\.SecuredRedisTest",
  ".*\\.SentinelTest"
})
class SlowRedisSuite extends SlowSuite {}
