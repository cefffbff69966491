package io.github.bloomgate.elements;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Instances on one Redis that keep filters whose elements can be removed. */
abstract class CountingOnRedis {

  static TestRedis redis;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  static TestInstance instance(boolean copies) {
    return copies ? new TestInstance(redis) : TestInstance.withoutCopies(redis);
  }
}
