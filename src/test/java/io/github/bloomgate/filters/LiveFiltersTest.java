package io.github.bloomgate.filters;

import static io.github.bloomgate.support.Failures.assertFails;
import static io.github.bloomgate.support.TestInstance.name;

import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import org.junit.jupiter.api.Test;

/** Finding filters while Redis is unavailable. */
class LiveFiltersTest {

  @Test
  void withoutRedisItIsUnknownWhetherAFilterExists() {
    try (var redis = TestRedis.started();
        var instance = new TestInstance(redis)) {
      redis.kill();
      assertFails(
          ErrorCode.STORE_UNAVAILABLE, () -> instance.get(LiveFilters.class).exists(name()));
      redis.start();
    }
  }
}
