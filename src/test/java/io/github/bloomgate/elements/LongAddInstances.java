package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Adds of many calls by one instance, and another one that steps in between. */
abstract class LongAddInstances {

  static final FilterParameters ONE = TestInstance.shape(2_000_000, 5);

  static final Duration AN_HOUR = Duration.ofHours(1);
  static final long ROOM = 1 << 24;

  TestRedis redis;
  TestInstance first;
  TestInstance second;

  @BeforeEach
  void start() {
    redis = TestRedis.started();
    first = new TestInstance(redis);
    second = new TestInstance(redis);
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
    redis.close();
  }

  /** What is done to the filter, one step between two batches. */
  enum Step {
    OPEN,
    COMMIT,
    ABORT,
    CLEAR,
    NOTHING
  }

  LongAdd begin(FilterName name, long room) {
    return new LongAdds(first.elements, room).begin(name, Durability.PRIMARY);
  }

  void take(Step step, FilterName name, FilterParameters shape) {
    switch (step) {
      case OPEN -> second.openings.awaitReady(second.openings.open(name, live -> shape, AN_HOUR));
      case COMMIT -> second.rebuilds.commit(next(name), 0, NewDeadline.KEEP);
      case ABORT -> assertTrue(second.rebuilds.abort(next(name)));
      case CLEAR -> second.changes.clear(name);
      case NOTHING -> {}
    }
  }

  Filter next(FilterName name) {
    return second.rebuilds.find(name).next();
  }
}
