package io.github.bloomgate;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.ExcludeTags;
import org.junit.platform.suite.api.IncludeTags;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * Tests of the quick build that share one application. Surefire runs each suite as a whole in a
 * process, and several side by side. Class by class, it would start the application for each.
 *
 * <p>Slow tests with an application of their own are excluded by name: Quarkus prepares an
 * application for each profile before it looks at tags. {@link OwnApplicationsTest} checks the
 * list.
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
  ".*\\.KeyQuotaOfKindsTest",
  ".*\\.KeyQuotaTest",
  ".*\\.ManagementPortTest",
  ".*\\.MovingSlotsTest",
  ".*\\.ProblemTest",
  ".*\\.ProxiesTest",
  ".*\\.RateLimitsTest",
  ".*\\.RedisCallsTest",
  ".*\\.SampledTracingTest",
  ".*\\.SecuredRedisTest",
  ".*\\.SentinelTest",
  ".*\\.SlowClientsTest",
  ".*\\.SlowHeadsTest",
  ".*\\.SlowReaderTest",
  ".*\\.SwaggerInChromiumTest",
  ".*\\.TracingTest"
})
abstract class QuickSuite {}
