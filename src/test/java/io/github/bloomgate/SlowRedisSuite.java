package io.github.bloomgate;

import org.junit.platform.suite.api.IncludePackages;

/** Tests that inspect Redis or run one of their own, and tests of the whole instance. */
@IncludePackages({
  SlowRedisSuite.LIBRARIES,
  SlowRedisSuite.REDIS,
  SlowRedisSuite.SERVER,
  SlowRedisSuite.TOPOLOGY
})
class SlowRedisSuite extends SlowSuite {

  static final String LIBRARIES = "io.github.bloomgate.libraries";
  static final String REDIS = "io.github.bloomgate.redis";
  static final String SERVER = "io.github.bloomgate.server";
  static final String TOPOLOGY = "io.github.bloomgate.topology";
}
