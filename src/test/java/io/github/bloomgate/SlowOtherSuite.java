package io.github.bloomgate;

import org.junit.platform.suite.api.ExcludePackages;

/** All that the others leave, above all the console in a browser. */
@ExcludePackages({
  SlowHttpSuite.HTTP,
  SlowRedisSuite.LIBRARIES,
  SlowRedisSuite.REDIS,
  SlowRedisSuite.SERVER,
  SlowRedisSuite.TOPOLOGY
})
class SlowOtherSuite extends SlowSuite {}
