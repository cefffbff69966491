package io.github.bloomgate;

import org.junit.platform.suite.api.IncludeClassNamePatterns;

/** All that {@link FirstSuite} leaves. */
@IncludeClassNamePatterns("(?!" + FirstSuite.CLASSES + ").*Test")
class SecondSuite extends ApplicationSuite {}
