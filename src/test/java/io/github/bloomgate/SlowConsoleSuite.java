package io.github.bloomgate;

import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** The console in a browser. */
@IncludeClassNamePatterns(".*\\.console\\.Console\\w+InChromiumTest")
class SlowConsoleSuite extends SlowSuite {}
