package io.github.bloomgate.rebuild;

import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Instances that copy and merge filters that forget, one of them without copies of segments. */
abstract class ForgettingFilters {

  static final int SLICES = 4;
  static final int EACH = 300;

  static TestRedis redis;
  static TestInstance service;
  static TestInstance follower;
  static TestInstance other;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
    follower = new TestInstance(redis);
    other = TestInstance.withoutCopies(redis);
  }

  @AfterAll
  static void stop() {
    other.close();
    follower.close();
    service.close();
    redis.close();
  }

  static void merge(FilterName to, FilterName from) {
    service.merges.merge(to, List.of(from), OptionalDouble.empty(), TestInstance.STAYS);
  }

  static void copy(FilterName from, FilterName to, boolean replace) {
    service.copies.copy(from, to, replace, Optional.empty(), Quota.NONE, TestInstance.STAYS);
  }
}
