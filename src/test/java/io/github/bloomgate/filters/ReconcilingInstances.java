package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.CutShort;
import io.github.bloomgate.support.TestInstance;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two instances on one Redis whose changes can be cut short, and who finishes them. */
abstract class ReconcilingInstances {

  static final List<byte[]> ELEMENTS = elements("element ", 200);
  static final Optional<Instant> SOON = inHours(2);
  static final Optional<Instant> LATE = inHours(9);

  TestRedis redis;
  TestInstance first;
  TestInstance second;

  /** More than half a minute later. */
  TestInstance later;

  @BeforeEach
  void start() {
    redis = TestRedis.started();
    first = new TestInstance(redis);
    second = new TestInstance(redis);
    later = later();
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
    later.close();
    redis.close();
  }

  TestInstance later() {
    return new TestInstance(redis, Clock.offset(Clock.systemUTC(), Duration.ofSeconds(31)));
  }

  void assertEmptyAndUsable(FilterName name) {
    assertEquals(0, await(second.elements.test(name, elements("unknown ", 50))).trueCount());
    assertEquals(ELEMENTS.size(), await(second.elements.add(name, ELEMENTS)).trueCount());
    first.assertMaybe(name, ELEMENTS);
  }

  Filter filled(Optional<Instant> deadline) {
    var filter = first.create(name(), SEVERAL, deadline);
    first.add(filter.name(), ELEMENTS);
    return filter;
  }

  /** Carries a change out as far as some number of steps: note, head, each segment, finish. */
  void cutShort(int steps, FilterName name, Runnable head) {
    var stores = first.stores;
    if (steps > 0) {
      stores.intents().intend(name, Instant.now());
    }
    if (steps < 2) {
      return;
    }
    head.run();
    CutShort.reconcile(stores, name, steps - 2);
  }

  void reconcileAbandoned(FilterName name) {
    later.reconciler.reconcileAbandoned();
    later.assertReconciled(name);
  }

  void awaitExpiry(FilterName name) {
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .until(() -> !await(second.stores.filters().exists(name)));
    assertTrue(second.keysWith(name + "}:bits").isEmpty());
  }

  static Optional<Instant> inHours(int hours) {
    return Optional.of(Instant.now().truncatedTo(ChronoUnit.MILLIS).plus(hours, ChronoUnit.HOURS));
  }
}
