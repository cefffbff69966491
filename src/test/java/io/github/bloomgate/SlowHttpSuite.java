package io.github.bloomgate;

import org.junit.platform.suite.api.IncludePackages;

/** Those of requests: settings of their own, and filters of other libraries. */
@IncludePackages({SlowHttpSuite.HTTP, SlowHttpSuite.LIBRARIES})
class SlowHttpSuite extends SlowSuite {

  static final String HTTP = "io.github.bloomgate.http";
  static final String LIBRARIES = "io.github.bloomgate.libraries";
}
