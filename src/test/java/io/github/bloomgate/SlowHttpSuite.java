package io.github.bloomgate;

import org.junit.platform.suite.api.IncludePackages;

/** Those of requests, most of them with settings of their own. */
@IncludePackages(SlowHttpSuite.HTTP)
class SlowHttpSuite extends SlowSuite {

  static final String HTTP = "io.github.bloomgate.http";
}
