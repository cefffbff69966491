package io.github.bloomgate;

import org.junit.platform.suite.api.IncludePackages;

/** Those with a Redis of their own, and of the instance as a whole. */
@IncludePackages({SlowTopologySuite.TOPOLOGY, SlowTopologySuite.REDIS, SlowTopologySuite.SERVER})
class SlowTopologySuite extends SlowSuite {

  static final String TOPOLOGY = "io.github.bloomgate.topology";
  static final String REDIS = "io.github.bloomgate.redis";
  static final String SERVER = "io.github.bloomgate.server";
}
