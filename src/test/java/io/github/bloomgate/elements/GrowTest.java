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
import io.github.bloomgate.support.TestExtent;
import io.github.bloomgate.support.TestInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Growing filters: the number of layers, capacity and rate. */
class GrowTest extends GrowingFilters {

  private static final int BATCH = 10_000;
  private static final int OF_EACH = TestExtent.isLong() ? 500_000 : 100_000;

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
  void aFilterAtItsMemoryLimitIsFull(boolean copies) {
    try (var service = instance(copies)) {
      var name = name();
      service.create(name, growing(100, 0.01, 1000));
      var some = elements("e", 1000);
      assertFails(ErrorCode.FILTER_FULL, service.elements.add(name, some));
      var held = service.describe(name).filter();
      assertEquals(2, held.layers().size());
      assertTrue(held.sizeBytes() <= 1000);
      assertEquals(300, service.describe(name).statistics().insertions(), "all layers are filled");
      assertFails(ErrorCode.FILTER_FULL, service.elements.add(name, elements("f", 100)));
    }
  }

  /** Law 1 under load: two instances add to one filter while it grows. */
  @Tag("slow")
  @Test
  void elementsAddedByTwoInstancesAreAllKept() {
    try (var one = instance(true);
        var two = instance(true)) {
      var name = name();
      var growth = new Growth(4, Growth.MAX_SIZE_BYTES);
      one.create(name, growth.parameters(HashSchemes.nativeScheme(), 1_000, 1e-6));
      var others = InParallel.run(() -> addAndTest(two, name, "two "));
      addAndTest(one, name, "one ");
      others.join();
      for (var from = 0; from < OF_EACH; from += BATCH) {
        two.assertMaybe(name, numbers("one ", from));
        one.assertMaybe(name, numbers("two ", from));
      }
      var description = one.describe(name);
      assertEquals(TestExtent.isLong() ? 6 : 5, description.filter().layers().size());
      var missed = 2L * OF_EACH - description.statistics().insertions();
      assertTrue(missed >= 0 && missed <= 10, missed + " were never new");
      one.assertCountsAreExact(name);
    }
  }

  private static void addAndTest(TestInstance service, FilterName name, String prefix) {
    for (var from = 0; from < OF_EACH; from += BATCH) {
      service.add(name, numbers(prefix, from));
      service.assertMaybe(name, numbers(prefix, from));
    }
  }

  /** Law 3: the promised rate holds after a filter has grown by a large factor. */
  @Tag("slow")
  @Test
  void aFilterThatGrewALotKeepsTheRate() {
    var elements = TestExtent.isLong() ? 10_000_000 : 200_000;
    var factor = TestExtent.isLong() ? 10 : 2;
    var absent = TestExtent.isLong() ? 1_000_000 : 100_000;
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
