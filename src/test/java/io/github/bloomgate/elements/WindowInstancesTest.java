package io.github.bloomgate.elements;

import static io.github.bloomgate.elements.WindowTest.count;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestWindows.assertCountsAreExact;
import static io.github.bloomgate.support.TestWindows.sized;
import static io.github.bloomgate.support.TestWindows.turn;
import static io.github.bloomgate.support.TestWindows.years;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters that forget, under several instances, large, and in all of their life. */
class WindowInstancesTest {

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

  /** Exactly once per element and window: two instances add the same while slices begin. */
  @Tag("slow")
  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void everyElementIsNewOnceInAWindow(boolean copies, boolean refresh) throws Exception {
    try (var one = copies ? new TestInstance(redis) : TestInstance.withoutCopies(redis);
        var two = new TestInstance(redis)) {
      var name = name();
      var filter = one.create(name, sized(200_000, years(8, refresh)));
      for (var window = 0; window < 3; window++) {
        var all = elements("e", 4_000);
        var claims = new AtomicIntegerArray(all.size());
        race(List.of(one, two, one, two), name, all, claims, 100, 6);
        for (var i = 0; i < all.size(); i++) {
          assertEquals(1, claims.get(i), "of element " + i);
        }
        one.assertMaybe(name, all);
        two.assertMaybe(name, all);
        assertCountsAreExact(one, filter);
        turn(one, name, 9);
      }
    }
  }

  /** Two instances add them, in 15 of 16 slices. */
  @Tag("slow")
  @Test
  void aMillionElementsAreNewOnceWhileSlicesBegin() throws Exception {
    try (var one = new TestInstance(redis);
        var two = new TestInstance(redis)) {
      var name = name();
      var filter = one.create(name, sized(3_000_000, years(16, true)));
      var all = elements("e", 1_000_000);
      var claims = new AtomicIntegerArray(all.size());
      race(List.of(one, two), name, all, claims, 2_000, 14);
      for (var i = 0; i < all.size(); i++) {
        assertEquals(1, claims.get(i), "of element " + i);
      }
      for (var from = 0; from < all.size(); from += BATCH) {
        (from % (2 * BATCH) == 0 ? one : two).assertMaybe(name, all.subList(from, from + BATCH));
      }
      assertEquals(all.size(), one.describe(name).statistics().insertions());
      assertCountsAreExact(one, filter);
    }
  }

  /**
   * All add all.
   *
   * @param most elements of a batch of the first two, the others' are smaller
   * @param turns how many slices begin meanwhile, fewer than a window has
   */
  private static void race(
      List<TestInstance> services,
      FilterName name,
      List<byte[]> all,
      AtomicIntegerArray claims,
      int most,
      int turns)
      throws InterruptedException {
    var failures = new ConcurrentLinkedQueue<Throwable>();
    var batches = new AtomicInteger();
    var clients = new ArrayList<Thread>();
    for (var service : services) {
      var size = clients.size() < 2 ? most : most / 3 + 4;
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
                  batches.incrementAndGet();
                }
              }));
    }
    for (var client : clients) {
      client.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
      client.start();
    }
    for (var turn = 0; turn < turns; turn++) {
      var done = turn * services.size() * all.size() / most / (turns + 1);
      Awaitility.await()
          .atMost(TestInstance.PATIENCE)
          .until(() -> batches.get() >= done || !failures.isEmpty());
      turn(services.get(0), name, 1);
    }
    for (var client : clients) {
      client.join();
    }
    assertEquals(List.of(), List.copyOf(failures));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void itLosesNothingByItsOtherChanges(boolean copies) {
    try (var service = copies ? new TestInstance(redis) : TestInstance.withoutCopies(redis)) {
      var name = name();
      var filter = service.create(name, sized(10_000, years(4, true)));
      var old = elements("old", 500);
      var some = elements("e", 500);
      service.add(name, old);
      turn(service, name, 3);
      service.add(name, some);
      var deadline = Instant.now().truncatedTo(ChronoUnit.MILLIS).plusSeconds(1000);
      service.changes.expire(name, Optional.of(deadline));
      service.assertDeadline(name, Optional.of(deadline));
      turn(service, filter, 1);
      service.assertMaybe(name, old);
      service.assertDeadline(name, Optional.of(deadline));
      var renamed = name();
      service.renames.rename(name, renamed, false);
      service.assertMaybe(renamed, some);
      service.assertMaybe(renamed, old);
      turn(service, renamed, 1);
      assertEquals(0, count(service.test(renamed, old)));
      service.assertMaybe(renamed, some);
      service.changes.clear(renamed);
      assertFalse(service.test(renamed, some)[0]);
      assertEquals(500, count(service.add(renamed, some)));
      service.assertMaybe(renamed, some);
      service.assertDeadline(renamed, Optional.of(deadline));
      service.passDeadline(service.describe(renamed).filter());
      assertFails(ErrorCode.FILTER_NOT_FOUND, () -> service.describe(renamed));
      var again = service.create(renamed, sized(10_000, years(4, true)));
      assertEquals(0, count(service.test(renamed, some)));
      service.changes.delete(renamed, false);
      service.assertNothingLeft(filter);
      service.assertNothingLeft(again);
    }
  }

  /** What is loaded is in the slice that it is then; adds go on. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRebuildHasAWindowToo(boolean copies) {
    try (var service = copies ? new TestInstance(redis) : TestInstance.withoutCopies(redis)) {
      var name = name();
      service.create(name, sized(10_000, years(4, true)));
      var dropped = elements("dropped", 500);
      service.add(name, dropped);
      var next = TestInstance.openNext(service, name);
      var loaded = elements("loaded", 500);
      TestInstance.await(service.loads.load(next, loaded));
      var added = elements("added", 500);
      service.add(name, added);
      service.rebuilds.commit(next, 1, NewDeadline.KEEP);
      service.assertMaybe(name, loaded);
      service.assertMaybe(name, added);
      assertEquals(0, count(service.test(name, dropped)));
      assertTrue(service.describe(name).filter().window().isPresent());
      turn(service, name, 4);
      service.assertMaybe(name, added);
      turn(service, name, 1);
      assertEquals(0, count(service.test(name, loaded)));
      assertEquals(0, count(service.test(name, added)));
    }
  }

  /** By the clock of Redis: slices begin, of both generations, while rebuilds are committed. */
  @Tag("slow")
  @Test
  void noAddIsLostWhileSlicesBeginAndRebuildsAreCommitted() {
    try (var one = new TestInstance(redis);
        var two = new TestInstance(redis);
        var three = TestInstance.withoutCopies(redis)) {
      var name = name();
      one.create(name, sized(50_000, TestWindows.MINUTE));
      var begun = TestWindows.now(one);
      var running = new AtomicBoolean(true);
      for (var round = 0; TestWindows.now(one) < begun + 4; round++) {
        var slices = round % 2 == 0 ? 60 : 64;
        var window = Window.ofSeconds(slices, slices, true);
        var next =
            one.openings.awaitReady(
                one.openings.open(name, live -> sized(50_000, window), TestInstance.PATIENCE));
        var added = new ConcurrentLinkedQueue<byte[]>();
        var number = round;
        running.set(true);
        var adds =
            Stream.of(one, two, three)
                .map(
                    service ->
                        Beside.run(
                            () -> {
                              for (var i = 0; running.get(); i++) {
                                var some = elements(service.hashCode() + " " + number + " " + i, 3);
                                service.add(name, some);
                                added.addAll(some);
                              }
                            }))
                .toList();
        TestInstance.await(two.loads.load(next, elements("loaded " + round, 300)));
        Awaitility.await().atMost(TestInstance.PATIENCE).until(() -> added.size() > 300);
        one.rebuilds.commit(next, 1, NewDeadline.KEEP);
        running.set(false);
        adds.forEach(CompletableFuture::join);
        for (var service : List.of(one, two, three)) {
          service.assertMaybe(name, List.copyOf(added));
          service.assertMaybe(name, elements("loaded " + number, 300));
        }
      }
      assertCountsAreExact(one, one.describe(name).filter());
    }
  }

  /** Each segment begins its slices by itself, by the same clock. */
  @Test
  void aFilterOfSeveralSegmentsForgetsAllOfThem() {
    try (var service = new TestInstance(redis);
        var other = TestInstance.withoutCopies(redis)) {
      var name = name();
      var filter = service.create(name, sized(1_500_000, years(8, true)));
      assertTrue(filter.segments() > 2);
      var some = elements("e", 20_000);
      assertEquals(some.size(), count(service.add(name, some.subList(0, 10_000))) + 10_000);
      assertEquals(10_000, count(other.add(name, some.subList(10_000, 20_000))));
      turn(service, name, 8);
      service.assertMaybe(name, some.subList(5_000, 15_000));
      turn(service, name, 1);
      assertEquals(0, count(other.test(name, some.subList(5_000, 15_000))));
      assertEquals(10_000, count(other.add(name, some.subList(5_000, 15_000))));
      service.changes.clear(name);
      assertEquals(0, count(service.test(name, some.subList(5_000, 15_000))));
      assertEquals(10_000, count(service.add(name, some.subList(0, 10_000))));
      assertCountsAreExact(service, service.describe(name).filter());
      service.changes.delete(name, false);
      service.assertNothingLeft(filter);
    }
  }

  /** Law 3, for the union of all slices at their fullest. */
  @Tag("slow")
  @ParameterizedTest
  @CsvSource({
    "2, false", "8, false", "64, false",
    "2, true", "8, true", "25, true"
  })
  void aMillionElementsInAWindowKeepTheRate(int slices, boolean byTime) {
    try (var service = new TestInstance(redis)) {
      var name = name();
      var window = byTime ? years(slices, true) : Window.ofInsertions(1_000_000, slices, true);
      var filter =
          service.create(
              name, FilterParameters.windowed(HashSchemes.nativeScheme(), 1_000_000, 0.01, window));
      var all = 2_000_000;
      for (var from = 0; from < all; from += BATCH) {
        if (byTime && from > 0 && from % (1_000_000 / slices) < BATCH) {
          turn(service, filter, 1);
        }
        service.add(name, numbers("e", from));
      }
      for (var from = all - 1_000_000; from < all; from += BATCH) {
        service.assertMaybe(name, numbers("e", from));
      }
      var wrong = 0;
      for (var from = 0; from < 1_000_000; from += BATCH) {
        wrong += count(service.test(name, numbers("never", from)));
      }
      var rate = wrong / 1_000_000.0;
      assertTrue(rate <= 1.1 * 0.01, () -> "measured " + rate);
      // The first are forgotten, but for what is wrong.
      var left = count(service.test(name, numbers("e", 0)));
      assertTrue(left <= 0.02 * BATCH, () -> left + " are left");
      var statistics = service.describe(name).statistics();
      assertEquals(rate, statistics.estimatedFalsePositiveProbability(), 0.001);
      var estimate = statistics.approximateElementCount().orElseThrow();
      assertTrue(
          estimate > 980_000 && estimate < 1.02 * (slices + 1) * 1_000_000 / slices,
          "estimated " + estimate);
    }
  }

  private static List<byte[]> numbers(String prefix, int from) {
    return IntStream.range(from, from + BATCH)
        .mapToObj(i -> TestInstance.element(prefix + i))
        .toList();
  }
}
