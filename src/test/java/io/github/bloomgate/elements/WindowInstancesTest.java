package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Flags.count;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestWindows.assertCountsAreExact;
import static io.github.bloomgate.support.TestWindows.sized;
import static io.github.bloomgate.support.TestWindows.turn;
import static io.github.bloomgate.support.TestWindows.years;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.support.TestInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Filters that forget, under several instances and large. */
class WindowInstancesTest extends WindowsOnRedis {

  private static final int BATCH = 10_000;

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
