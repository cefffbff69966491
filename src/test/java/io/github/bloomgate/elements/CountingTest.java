package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Flags.count;
import static io.github.bloomgate.support.TestCounters.assertCountsAreExact;
import static io.github.bloomgate.support.TestCounters.counting;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.shape;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.Counters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.CountingModel;
import io.github.bloomgate.support.TestInstance;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters whose elements can be removed. */
class CountingTest extends CountingOnRedis {

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anElementThatIsRemovedIsNotThere(boolean copies) {
    try (var service = instance(copies);
        var other = instance(!copies)) {
      var name = name();
      var filter = service.create(name, counting(10_000));
      var some = elements("e", 300);
      assertEquals(300, count(service.add(name, some)));
      assertEquals(0, count(service.add(name, some.subList(0, 100))));
      assertEquals(400, service.describe(name).statistics().insertions());
      assertEquals(300, count(other.remove(name, some)));
      assertEquals(100, count(service.test(name, some)));
      service.assertMaybe(name, some.subList(0, 100));
      assertEquals(100, count(service.remove(name, some)));
      assertEquals(0, count(other.test(name, some)));
      assertEquals(0, count(service.remove(name, some)));
      var statistics = other.describe(name).statistics();
      assertEquals(0, statistics.bitsSet());
      assertEquals(0, statistics.insertions());
      assertEquals(300, count(other.add(name, some)));
      service.assertMaybe(name, some);
      assertCountsAreExact(service, filter);
    }
  }

  /** Within a request too, in order. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsSentTwiceIsRemovedTwice(boolean copies) {
    try (var service = instance(copies)) {
      var name = name();
      service.create(name, counting(10_000));
      var one = TestInstance.element("one");
      assertArrayEquals(new boolean[] {true, false}, service.add(name, List.of(one, one)));
      assertArrayEquals(
          new boolean[] {true, true, false}, service.remove(name, List.of(one, one, one)));
    }
  }

  /** What was added 15 times or more stays: nobody knows how often it was. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCounterThatIsFullStays(boolean copies) {
    try (var service = instance(copies)) {
      var name = name();
      var filter = service.create(name, counting(10_000));
      var often = TestInstance.element("often");
      var fourteen = TestInstance.element("fourteen");
      service.add(name, Collections.nCopies(14, fourteen));
      service.add(name, Collections.nCopies(20, often));
      assertArrayEquals(
          new byte[] {15, 14, 0},
          service.count(name, List.of(often, fourteen, TestInstance.element("never"))));
      assertEquals(30, count(service.remove(name, Collections.nCopies(30, often))));
      assertEquals(14, count(service.remove(name, Collections.nCopies(30, fourteen))));
      assertArrayEquals(new byte[] {15, 0}, service.count(name, List.of(often, fourteen)));
      assertEquals(3, counted(service, "maybe"));
      assertEquals(2, counted(service, "absent"));
      service.assertMaybe(name, List.of(often));
      var statistics = service.describe(name).statistics();
      assertEquals(filter.shape().numHashFunctions(), statistics.saturatedCounters());
      assertEquals(filter.shape().numHashFunctions(), statistics.bitsSet());
      assertEquals(15, statistics.insertions());
      assertCountsAreExact(service, filter);
    }
  }

  private static double counted(TestInstance service, String result) {
    return service.metrics.get("bloom.elements.counted").tag("result", result).counter().count();
  }

  /** What the documentation warns of: an element that was never added takes others with it. */
  @Test
  void aWrongRemovalTakesOthersWithIt() {
    try (var service = new TestInstance(redis)) {
      var name = name();
      service.create(name, counting(200, 0.4, WhenFull.ACCEPT));
      var there = elements("there", 200);
      service.add(name, there);
      var wrong =
          elements("never", 2_000).stream()
              .filter(element -> service.test(name, List.of(element))[0])
              .toList();
      assertTrue(wrong.size() > 100, wrong.size() + " of 2000");
      assertTrue(count(service.remove(name, wrong)) > 0);
      assertTrue(count(service.test(name, there)) < 200);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFullFilterTakesElementsAgainWhenOthersWereRemoved(boolean copies) {
    try (var service = instance(copies);
        var other = instance(copies)) {
      var name = name();
      service.create(name, counting(50, 1e-9, WhenFull.REJECT));
      var some = elements("e", 50);
      service.add(name, some);
      for (var refused : List.of(elements("f", 1), some.subList(0, 1))) {
        assertFails(ErrorCode.FILTER_FULL, () -> service.add(name, refused));
      }
      assertEquals(50, service.describe(name).statistics().insertions());
      assertEquals(10, count(other.remove(name, some.subList(0, 10))));
      assertEquals(10, count(service.add(name, elements("f", 10))));
      assertFails(ErrorCode.FILTER_FULL, () -> other.add(name, elements("g", 1)));
      service.assertMaybe(name, elements("f", 10));
      service.assertMaybe(name, some.subList(10, 50));
    }
  }

  @Test
  void whatHasNoCountersRefusesIt() {
    try (var service = new TestInstance(redis)) {
      var name = name();
      service.create(name, shape(1_000, 3));
      assertFails(ErrorCode.INVALID_REQUEST, () -> service.remove(name, elements("e", 1)));
      assertFails(ErrorCode.INVALID_REQUEST, () -> service.count(name, elements("e", 1)));
    }
  }

  /** Laws 1 and 4, whatever happens in which order, by several instances of both kinds. */
  @Test
  void itIsWhatAMultisetIs() {
    var seed = System.nanoTime();
    System.out.printf("counting: seed %d%n", seed);
    var random = new Random(seed);
    var model = new CountingModel();
    var instances = List.of(instance(true), instance(false), instance(true));
    var service = instances.get(0);
    var name = name();
    service.create(name, counting(3_000));
    for (var round = 0; round < 500; round++) {
      var some = instances.get(random.nextInt(instances.size()));
      var texts =
          IntStream.range(0, 1 + random.nextInt(random.nextInt(10) == 0 ? 1_500 : 12))
              .mapToObj(i -> "e" + random.nextInt(400))
              .toList();
      var told = "seed " + seed + " round " + round;
      switch (random.nextInt(14)) {
        case 0, 1, 2, 3 -> assertArrayEquals(model.add(texts), some.add(name, bytes(texts)), told);
        case 4, 5, 6, 7 ->
            assertArrayEquals(model.remove(texts), some.remove(name, bytes(texts)), told);
        case 8, 9 -> assertArrayEquals(model.test(texts), some.test(name, bytes(texts)), told);
        case 10, 11 -> assertArrayEquals(model.count(texts), some.count(name, bytes(texts)), told);
        case 12 -> assertCountsAreExact(some, some.describe(name).filter());
        default -> {
          var to = name();
          some.renames.rename(name, to, false);
          name = to;
          if (random.nextInt(5) == 0) {
            some.changes.clear(name);
            model.clear();
          }
        }
      }
    }
    assertCountsAreExact(service, service.describe(name).filter());
    instances.forEach(TestInstance::close);
  }

  @Test
  void countersAreAsManyAsBitsAreOfAPlainFilter() {
    var plain = TestInstance.sized(100_000, 0.01, WhenFull.ACCEPT);
    var counting = counting(100_000, 0.01, WhenFull.ACCEPT);
    assertEquals(plain.shape().bitSize(), counting.places(counting.shape()).bitSize());
    assertEquals(Counters.BITS * plain.shape().bitSize(), counting.shape().bitSize());
    assertEquals(plain.shape().numHashFunctions(), counting.shape().numHashFunctions());
  }

  private static List<byte[]> bytes(List<String> texts) {
    return texts.stream().map(TestInstance::element).toList();
  }
}
