package io.github.bloomgate;

import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** Tests of requests, and the test of proxies, which needs the same keys. */
@IncludeClassNamePatterns(SlowHttpSuite.CLASSES)
class SlowHttpSuite extends SlowSuite {

  static final String CLASSES = "io\\.github\\.bloomgate\\.(http\\..*|docs\\.Proxies)Test";
}
