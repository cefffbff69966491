package io.github.bloomgate.elements;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Filters that open further layers, and instances on one Redis for them. */
abstract class GrowingFilters {

  static TestRedis redis;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  static FilterParameters growing(long n, double p, long maxSizeBytes) {
    return new Growth(2, maxSizeBytes).parameters(HashSchemes.nativeScheme(), n, p);
  }

  static TestInstance instance(boolean copies) {
    return copies ? new TestInstance(redis) : TestInstance.withoutCopies(redis);
  }
}
