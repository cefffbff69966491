package io.github.bloomgate;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.ExcludeTags;
import org.junit.platform.suite.api.IncludeTags;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * Slow tests that need an application. They are in suites for the same reason as in {@link
 * QuickSuite}.
 */
@Suite
@SelectPackages("io.github.bloomgate")
@IncludeTags("io.quarkus.test.junit.QuarkusTest & (faults | topology | fuzz | slow)")
@ExcludeTags("long")
@ExcludeClassNamePatterns({".*\\.HugeLibraryFiltersTest", ".*\\.SwaggerInChromiumTest"})
abstract class SlowSuite {}
