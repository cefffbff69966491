package io.github.bloomgate;

import org.junit.platform.suite.api.ExcludePackages;
import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** All that the others leave, above all the console in a browser. */
@IncludeClassNamePatterns("(?!" + SlowHttpSuite.CLASSES + ").*Test")
@ExcludePackages({
  SlowRedisSuite.LIBRARIES,
  SlowRedisSuite.REDIS,
  SlowRedisSuite.SERVER,
  SlowRedisSuite.TOPOLOGY
})
class SlowOtherSuite extends SlowSuite {}
