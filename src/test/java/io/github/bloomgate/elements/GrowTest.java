package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.CutShort;
import io.github.bloomgate.support.TestInstance;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters that open further layers. */
class GrowTest {

  private static final int BATCH = 10_000;

  private static TestRedis redis;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  static FilterParameters growing(long n, double p, long maxSizeBytes) {
    return FilterParameters.growing(HashSchemes.nativeScheme(), n, p, new Growth(2, maxSizeBytes));
  }

  private static TestInstance instance(boolean copies) {
    return copies ? new TestInstance(redis) : TestInstance.withoutCopies(redis);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFullFilterOpensLayersAndForgetsNothing(boolean copies) {
    try (var service = instance(copies);
        var other = instance(copies)) {
      var name = name();
      service.create(name, growing(100, 0.01, 1 << 20));
      var added = new ArrayList<byte[]>();
      var isNew = 0;
      for (var batch = 0; batch < 40; batch++) {
        var some = elements("b" + batch + "-", 50);
        isNew += count((batch % 3 == 0 ? other : service).add(name, some));
        added.addAll(some);
        service.assertMaybe(name, added);
        other.assertMaybe(name, added);
      }
      var description = service.describe(name);
      assertEquals(5, description.filter().layers().size());
      assertEquals(isNew, description.statistics().insertions());
      assertTrue(isNew > 0.98 * added.size(), () -> "new");
      assertEquals(0, count(service.add(name, added)));
      var strangers = elements("never-", copies ? 20_000 : 2_000);
      var wrong = count(service.test(name, strangers));
      assertTrue(wrong <= 0.015 * strangers.size(), () -> wrong + " of " + strangers.size());
      service.assertCountsAreExact(name);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void atItsBoundItIsFull(boolean copies) {
    try (var service = instance(copies)) {
      var name = name();
      service.create(name, growing(100, 0.01, 1000));
      var some = elements("e", 1000);
      assertFails(ErrorCode.FILTER_FULL, service.elements.add(name, some));
      var held = service.describe(name).filter();
      assertEquals(2, held.layers().size());
      assertTrue(held.sizeBytes() <= 1000);
      assertEquals(
          300, service.describe(name).statistics().insertions(), "all layers take what they can");
      assertFails(ErrorCode.FILTER_FULL, service.elements.add(name, elements("f", 100)));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aViewWithoutTheNewLayerIsReadAgainBeforeNo(boolean copies) {
    try (var service = instance(copies);
        var other = instance(copies)) {
      var name = name();
      service.create(name, growing(100, 0.01, 1 << 20));
      other.test(name, elements("x", 1));
      var some = elements("e", 2000);
      service.add(name, some);
      other.assertMaybe(name, some);
    }
  }

  /** As after a failover: the other layers' nodes kept what they had acknowledged. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFirstLayerThatLostItsLastWritesHidesNoOther(boolean copies) {
    try (var service = instance(copies);
        var other = instance(copies)) {
      var name = name();
      service.create(name, growing(100, 0.01, 1 << 20));
      service.add(name, elements("first", 300));
      var some = elements("e", 200);
      service.add(name, some);
      redis.command("HSET", TestStores.keys(name).get(0), "insertions", "90");
      other.assertMaybe(name, some);
      other.assertMaybe(name, some.subList(0, 100));
      for (var instance : List.of(service, other)) {
        var more = elements("more", 100);
        instance.add(name, more);
        service.assertMaybe(name, more);
        other.assertMaybe(name, more);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itLosesNothingByItsOtherChanges(boolean copies) {
    try (var service = instance(copies)) {
      var name = name();
      var filter = service.create(name, growing(100, 0.01, 1 << 20));
      var some = elements("e", 2000);
      service.add(name, some);
      var renamed = name();
      service.renames.rename(name, renamed, false);
      service.assertMaybe(renamed, some);
      assertEquals(5, service.describe(renamed).filter().layers().size());
      service.changes.clear(renamed);
      assertFalse(service.test(renamed, some)[0]);
      assertEquals(5, service.describe(renamed).filter().layers().size());
      service.add(renamed, some);
      service.assertMaybe(renamed, some);
      service.changes.delete(renamed, false);
      service.assertNothingLeft(filter);
    }
  }

  /** An instance that is killed at any step of opening a layer is followed by another. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void whatOneInstanceLeavesAnotherFinishes(int steps) {
    try (var service = new TestInstance(redis);
        var other = new TestInstance(redis)) {
      var name = name();
      var filter = service.create(name, growing(100, 0.01, 1 << 20));
      var some = elements("e", 100);
      service.add(name, some);
      service.stores.intents().intend(name, Instant.now().minusSeconds(60));
      var full = service.describe(name).filter();
      service.stores.layers().plan(full, full.nextLayer().orElseThrow());
      CutShort.reconcile(service.stores, name, steps);
      other.assertMaybe(name, some);
      if (steps % 2 == 0) {
        other.reconciler.reconcileAbandoned();
        assertEquals(2, other.describe(name).filter().layers().size());
      }
      var more = elements("more", 400);
      var isNew = count(other.add(name, more));
      assertTrue(isNew > 390, () -> isNew + " new");
      service.assertMaybe(name, some);
      service.assertMaybe(name, more);
      service.assertCountsAreExact(name);
      other.changes.delete(name, false);
      service.assertNothingLeft(filter);
    }
  }

  /** The deadline reaches the segments of a layer that is opened while it changes. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aLayerThatIsPlannedGetsTheDeadline(int steps) {
    try (var service = new TestInstance(redis)) {
      var name = name();
      service.create(name, growing(100, 0.01, 1 << 20));
      service.add(name, elements("e", 100));
      var full = service.describe(name).filter();
      service.stores.layers().plan(full, full.nextLayer().orElseThrow());
      CutShort.reconcile(service.stores, name, steps);
      var deadline = Instant.now().truncatedTo(ChronoUnit.MILLIS).plusSeconds(1000);
      service.changes.expire(name, Optional.of(deadline));
      service.add(name, elements("f", 100));
      service.assertDeadline(name, Optional.of(deadline));
      service.changes.expire(name, Optional.empty());
      service.assertDeadline(name, Optional.empty());
    }
  }

  /** Law 1 and exactly once: two instances add the same elements while layers open. */
  @Tag("slow")
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyElementIsNewOnce(boolean copies) throws Exception {
    try (var one = instance(copies);
        var two = instance(copies)) {
      var name = name();
      one.create(name, growing(500, 1e-6, 1 << 24));
      var all = elements("e", copies ? 20_000 : 5_000);
      var claims = new AtomicIntegerArray(all.size());
      var clients = new ArrayList<Thread>();
      var failures = new ConcurrentLinkedQueue<Throwable>();
      for (var client = 0; client < 4; client++) {
        var service = client % 2 == 0 ? one : two;
        var size = client < 2 ? 100 : 37;
        clients.add(
            new Thread(
                () -> {
                  for (var from = 0; from < all.size(); from += size) {
                    var to = Math.min(all.size(), from + size);
                    var flags = service.add(name, all.subList(from, to));
                    service.assertMaybe(name, all.subList(Math.max(0, from - 200), to));
                    for (var i = 0; i < flags.length; i++) {
                      claims.addAndGet(from + i, flags[i] ? 1 : 0);
                    }
                  }
                }));
      }
      for (var client : clients) {
        client.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
        client.start();
      }
      for (var client : clients) {
        client.join();
      }
      assertEquals(List.of(), List.copyOf(failures));
      var missed = 0;
      for (var i = 0; i < all.size(); i++) {
        assertTrue(claims.get(i) <= 1, "claimed " + claims.get(i) + " times");
        missed += 1 - claims.get(i);
      }
      assertTrue(missed <= 2, missed + " were never new");
      var description = one.describe(name);
      assertEquals(all.size() - missed, description.statistics().insertions());
      assertTrue(description.filter().layers().size() >= 4);
      one.assertMaybe(name, all);
      two.assertMaybe(name, all);
      one.assertCountsAreExact(name);
    }
  }

  /** Law 3: what was promised holds after a growth by a thousand. */
  @Tag("slow")
  @Test
  void aMillionElementsKeepTheRate() {
    requireRate(1_000_000, 2, 200_000);
  }

  @Tag("long")
  @Test
  void tenMillionElementsKeepTheRate() {
    requireRate(10_000_000, 10, 1_000_000);
  }

  private static void requireRate(int elements, int factor, int strangers) {
    try (var service = new TestInstance(redis)) {
      var name = name();
      var growth = new Growth(factor, Growth.MAX_SIZE_BYTES);
      service.create(
          name, FilterParameters.growing(HashSchemes.nativeScheme(), 1_000, 0.01, growth));
      for (var from = 0; from < elements; from += BATCH) {
        service.add(name, numbers("e", from));
      }
      var wrong = 0;
      for (var from = 0; from < strangers; from += BATCH) {
        wrong += count(service.test(name, numbers("never", from)));
      }
      var rate = (double) wrong / strangers;
      assertTrue(rate <= 1.1 * 0.01, () -> "measured " + rate);
      for (var from = 0; from < elements; from += 10 * BATCH) {
        service.assertMaybe(name, numbers("e", from));
      }
      var statistics = service.describe(name).statistics();
      assertTrue(statistics.estimatedFalsePositiveProbability() <= 0.01);
      var estimate = statistics.approximateElementCount().orElseThrow();
      assertTrue(Math.abs(estimate - elements) < elements / 50, "estimated " + estimate);
    }
  }

  private static List<byte[]> numbers(String prefix, int from) {
    return IntStream.range(from, from + BATCH)
        .mapToObj(i -> TestInstance.element(prefix + i))
        .toList();
  }

  private static int count(boolean[] flags) {
    var count = 0;
    for (var flag : flags) {
      count += flag ? 1 : 0;
    }
    return count;
  }
}
