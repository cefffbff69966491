package io.github.bloomgate;

import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** One half of the tests, by the time that they take. */
@IncludeClassNamePatterns(QuickHttpSuite.CLASSES)
class QuickHttpSuite extends QuickSuite {

  /** Most of the package {@code http}, without those below it. */
  static final String CLASSES = "io\\.github\\.bloomgate\\.http\\.[A-R]\\w+Test";
}
