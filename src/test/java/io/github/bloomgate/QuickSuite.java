package io.github.bloomgate;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.ExcludeTags;
import org.junit.platform.suite.api.IncludeTags;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * Tests of the quick build that share one application. Surefire runs each suite in a process of its
 * own, and several suites in parallel. Without suites, it would start the application for each
 * class.
 *
 * <p>Slow tests with their own application are excluded by name, because Quarkus prepares an
 * application for each profile before it checks tags.
 */
@Suite
@SelectPackages("io.github.bloomgate")
@IncludeTags("io.quarkus.test.junit.QuarkusTest")
@ExcludeTags("faults | topology | fuzz | slow | long")
@ExcludeClassNamePatterns({
  ".*\\.ClientSharesTest",
  ".*\\.ClusterContractTest",
  ".*\\.ClusterFaultsTest",
  ".*\\.ConsoleKeysInChromiumTest",
  ".*\\.FilterGaugesTest",
  ".*\\.HugeLibraryFiltersTest",
  ".*\\.KeyQuotaTest",
  ".*\\.LongRunTest",
  ".*\\.ManagementPortTest",
  ".*\\.MovingSlotsTest",
  ".*\\.PrivateSourceTest",
  ".*\\.ProblemTest",
  ".*\\.ProxiesTest",
  ".*\\.RateLimitsTest",
  ".*\\.RedisCallsTest",
  ".*\\.SampledTracingTest",
  ".*\\.SecuredRedisTest",
  ".*\\.SentinelTest",
  ".*\\.SlowClientsTest",
  ".*\\.SlowReaderTest",
  ".*\\.SwaggerInChromiumTest",
  ".*\\.TracingTest"
})
abstract class QuickSuite {}
