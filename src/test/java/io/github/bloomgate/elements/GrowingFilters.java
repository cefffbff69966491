package io.github.bloomgate.elements;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;

/** Growing filters, and instances on one Redis to use them. */
@OnRedis
abstract class GrowingFilters {

  static TestRedis redis;

  static FilterParameters growing(long n, double p, long maxSizeBytes) {
    return new Growth(2, maxSizeBytes).parameters(HashSchemes.nativeScheme(), n, p);
  }

  static TestInstance instance(boolean copies) {
    return copies ? new TestInstance(redis) : TestInstance.withoutCopies(redis);
  }
}
