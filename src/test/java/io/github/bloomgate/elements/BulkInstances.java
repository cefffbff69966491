package io.github.bloomgate.elements;

import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** An instance that does large adds and tests on bitmaps, and one that does not. */
abstract class BulkInstances {

  static final int MANY = 30_000;
  static final Duration PATIENCE = TestInstance.PATIENCE;

  static TestRedis redis;
  static TestInstance bulk;
  static TestInstance plain;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    bulk = new TestInstance(redis);
    plain = TestInstance.withoutCopies(redis);
  }

  @AfterAll
  static void stop() {
    bulk.close();
    plain.close();
    redis.close();
  }

  static List<FilterParameters> shapes() {
    return List.of(
        TestInstance.sized(20_000, 0.01, WhenFull.ACCEPT),
        TestInstance.shape(300_000, 1),
        TestInstance.shape(4_000_000, 24),
        TestInstance.SEVERAL);
  }

  static double snapshots(String result) {
    return bulk.metrics.counter("bloom.journal.snapshots", "result", result).count();
  }
}
