package io.github.bloomgate;

import org.junit.platform.suite.api.ExcludeTags;
import org.junit.platform.suite.api.IncludeTags;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * Slow tests that need an application. They are in suites for the same reason as in {@link
 * QuickSuite}. Each suite names its classes, so that Quarkus prepares only the applications that
 * they need. {@code .ci/run} fails if a class is in none.
 */
@Suite
@SelectPackages("io.github.bloomgate")
@IncludeTags("faults | topology | fuzz | slow")
@ExcludeTags("long")
abstract class SlowSuite {}
