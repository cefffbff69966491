package io.github.bloomgate;

import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** The tests that are not in {@link QuickHttpSuite}. */
@IncludeClassNamePatterns("(?!" + QuickHttpSuite.CLASSES + ").*Test")
class QuickOtherSuite extends QuickSuite {}
