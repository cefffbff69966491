package io.github.bloomgate.store;

import io.github.bloomgate.redis.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests of the scripts of one slot that share a Redis. */
abstract class OnSlotRedis extends SlotScripts {

  @BeforeAll
  static void start() {
    use(TestRedis.started());
  }

  @AfterAll
  static void stop() {
    close();
  }
}
