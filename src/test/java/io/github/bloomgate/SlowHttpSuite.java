package io.github.bloomgate;

import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** Those of requests, most of them with settings of their own, and those that share settings. */
@IncludeClassNamePatterns(SlowHttpSuite.CLASSES)
class SlowHttpSuite extends SlowSuite {

  /** The proxies need the same keys as tests of requests. */
  static final String CLASSES = "io\\.github\\.bloomgate\\.(http\\..*|docs\\.Proxies)Test";
}
