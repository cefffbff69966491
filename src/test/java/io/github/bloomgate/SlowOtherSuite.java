package io.github.bloomgate;

import org.junit.platform.suite.api.ExcludePackages;

/** All that the others leave, above all the console in a browser. */
@ExcludePackages({
  SlowHttpSuite.HTTP,
  SlowHttpSuite.LIBRARIES,
  SlowTopologySuite.TOPOLOGY,
  SlowTopologySuite.REDIS,
  SlowTopologySuite.SERVER
})
class SlowOtherSuite extends SlowSuite {}
