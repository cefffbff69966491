package io.github.bloomgate.elements;

import io.github.bloomgate.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Instances on one Redis that keep filters that forget. */
abstract class WindowsOnRedis {

  static TestRedis redis;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }
}
