package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Flags.count;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.TestInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters that open further layers: their number, capacity and rate. */
class GrowTest extends GrowingFilters {

  private static final int BATCH = 10_000;
  private static final int HALF_A_MILLION = 500_000;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFullFilterOpensLayersAndKeepsAllElements(boolean copies) {
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
      var absent = elements("never-", copies ? 20_000 : 2_000);
      var wrong = count(service.test(name, absent));
      assertTrue(wrong <= 0.015 * absent.size(), () -> wrong + " of " + absent.size());
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

  /** Law 1 under load: two instances add to one filter while five layers open. */
  @Tag("slow")
  @Test
  void aMillionElementsOfTwoInstancesAreThere() {
    try (var one = instance(true);
        var two = instance(true)) {
      var name = name();
      var growth = new Growth(4, Growth.MAX_SIZE_BYTES);
      one.create(name, growth.parameters(HashSchemes.nativeScheme(), 1_000, 1e-6));
      var others = InParallel.run(() -> addAndTest(two, name, "two "));
      addAndTest(one, name, "one ");
      others.join();
      for (var from = 0; from < HALF_A_MILLION; from += BATCH) {
        two.assertMaybe(name, numbers("one ", from));
        one.assertMaybe(name, numbers("two ", from));
      }
      var description = one.describe(name);
      assertEquals(6, description.filter().layers().size());
      var missed = 2L * HALF_A_MILLION - description.statistics().insertions();
      assertTrue(missed >= 0 && missed <= 10, missed + " were never new");
      one.assertCountsAreExact(name);
    }
  }

  private static void addAndTest(TestInstance service, FilterName name, String prefix) {
    for (var from = 0; from < HALF_A_MILLION; from += BATCH) {
      service.add(name, numbers(prefix, from));
      service.assertMaybe(name, numbers(prefix, from));
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

  private static void requireRate(int elements, int factor, int absent) {
    try (var service = new TestInstance(redis)) {
      var name = name();
      var growth = new Growth(factor, Growth.MAX_SIZE_BYTES);
      service.create(name, growth.parameters(HashSchemes.nativeScheme(), 1_000, 0.01));
      for (var from = 0; from < elements; from += BATCH) {
        service.add(name, numbers("e", from));
      }
      var wrong = 0;
      for (var from = 0; from < absent; from += BATCH) {
        wrong += count(service.test(name, numbers("never", from)));
      }
      var rate = (double) wrong / absent;
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
}
