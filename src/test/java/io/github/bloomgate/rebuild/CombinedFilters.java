package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Filters that are copied or merged, while another instance does something to them. */
abstract class CombinedFilters {

  static final FilterParameters SMALL = TestInstance.shape(100_000, 5);

  static TestRedis redis;
  static TestInstance service;
  static TestInstance other;
  static TestInstance later;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
    other = new TestInstance(redis);
    later = new TestInstance(redis, Clock.offset(Clock.systemUTC(), Duration.ofHours(1)));
  }

  @AfterAll
  static void stop() {
    later.close();
    other.close();
    service.close();
    redis.close();
  }

  static Stream<FilterParameters> shapes() {
    return Stream.of(SMALL, SEVERAL);
  }

  static FilterName filter(FilterParameters parameters, String prefix, int count) {
    var name = name();
    service.create(name, parameters);
    service.add(name, elements(prefix, count));
    return name;
  }

  static byte[] bits(Filter filter, int segment) {
    service.fold(filter);
    return redis.command("GET", TestStores.keys(filter, segment).get(1)).toBytes();
  }

  /** The other instance adds batches until it is done. */
  static CompletableFuture<Void> adding(
      FilterName name, String prefix, AtomicInteger acknowledged, AtomicBoolean done) {
    return Beside.run(
        () -> {
          while (!done.get()) {
            other.add(name, elements(prefix + acknowledged + ".", 20));
            acknowledged.incrementAndGet();
          }
        });
  }

  static void awaitMore(AtomicInteger count, int more) {
    var enough = count.get() + more;
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> count.get() >= enough);
  }

  /** When something happens to a union that is made. */
  enum When {
    BEFORE,
    AFTER;

    DisturbedUnion disturb(IntConsumer disturbance) {
      return this == BEFORE
          ? DisturbedUnion.before(service, disturbance)
          : DisturbedUnion.after(service, disturbance);
    }
  }
}
