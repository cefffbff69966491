package io.github.bloomgate;

import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** All that {@link QuickHttpSuite} leaves. */
@IncludeClassNamePatterns("(?!" + QuickHttpSuite.CLASSES + ").*Test")
class QuickOtherSuite extends QuickSuite {}
