package io.github.bloomgate;

import org.junit.platform.suite.api.ExcludePackages;
import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** The remaining slow tests, most of them of the console in a browser. */
@IncludeClassNamePatterns("(?!" + SlowHttpSuite.CLASSES + ").*Test")
@ExcludePackages({
  SlowRedisSuite.LIBRARIES,
  SlowRedisSuite.REDIS,
  SlowRedisSuite.SERVER,
  SlowRedisSuite.TOPOLOGY
})
class SlowOtherSuite extends SlowSuite {}
