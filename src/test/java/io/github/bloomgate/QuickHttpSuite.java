package io.github.bloomgate;

import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** Half of the tests by running time. */
@IncludeClassNamePatterns(QuickHttpSuite.CLASSES)
class QuickHttpSuite extends QuickSuite {

  /** Most of the package {@code http}, without its subpackages, and the tests of the docs. */
  static final String CLASSES = "io\\.github\\.bloomgate\\.(http\\.[A-R]|docs\\.)\\w+Test";
}
