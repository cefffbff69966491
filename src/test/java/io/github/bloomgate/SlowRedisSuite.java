package io.github.bloomgate;

import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** Topologies of Redis, gauges and tracing. */
@IncludeClassNamePatterns({
  ".*\\.ClusterContractTest",
  ".*\\.ClusterFaultsTest",
  ".*\\.FilterGaugesTest",
  ".*\\.MovingSlotsTest",
  ".*\\.SampledTracingTest",
  ".*\\.SecuredRedisTest",
  ".*\\.SentinelTest",
  ".*\\.TracingTest"
})
class SlowRedisSuite extends SlowSuite {}
