package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Law 7: a filter of many segments is used like any other, and no call keeps Redis busy for long.
 *
 * <p>Times are those Redis measured itself, and printed. A shared machine may stop Redis in the
 * middle of a call, so that none is longer than 10 ms is only checked with {@code
 * -Dbloomgate.test.strict-latency=true}. A filter for 10^9 elements, which takes 1.2 GB, is one of
 * the long forms.
 */
class LargeFilterTest {

  private static final long LONGEST_MICROS = 10_000;

  @Test
  void fortySegments() {
    liveThrough(TestInstance.shape(40L << 24, 7), 40);
  }

  @Test
  @Tag("long")
  void aBillionElements() {
    liveThrough(TestInstance.sized(1_000_000_000, 0.01, WhenFull.ACCEPT), 572);
  }

  /** Large batches into one segment: the longest calls there are. */
  @Test
  void theLargestBatches() {
    try (var redis = recording();
        var service = new TestInstance(redis)) {
      for (var k : new int[] {1, 7, 64}) {
        var name = name();
        service.create(name, TestInstance.shape(1L << 24, k));
        var batch = elements("batch ", ElementService.MAX_ELEMENTS);
        service.add(name, batch);
        service.add(name, batch);
        service.assertMaybe(name, batch);
        await(service.elements.test(name, elements("other ", ElementService.MAX_ELEMENTS)));
      }
      report("largest batches", redis);
    }
  }

  @Tag("slow")
  @Test
  void fortySegmentsCopiedAndMerged() {
    try (var redis = recording();
        var service = new TestInstance(redis)) {
      var name = name();
      service.create(name, TestInstance.shape(40L << 24, 7));
      service.add(name, elements("element ", 10_000));
      var copy = name();
      var began = System.nanoTime();
      service.copies.copy(name, copy, false, Optional.empty(), Quota.NONE, TestInstance.STAYS);
      var copied = System.nanoTime();
      service.add(copy, elements("other ", 10_000));
      var from = System.nanoTime();
      service.merges.merge(name, List.of(copy), OptionalDouble.empty(), TestInstance.STAYS);
      System.out.printf(
          "40 segments copied in %d ms, merged in %d ms%n",
          (copied - began) / 1_000_000, (System.nanoTime() - from) / 1_000_000);
      service.assertMaybe(name, elements("element ", 10_000));
      service.assertMaybe(name, elements("other ", 10_000));
      service.assertCountsAreExact(name);
      service.assertCountsAreExact(copy);
      report("40 segments copied and merged", redis);
    }
  }

  private static void liveThrough(FilterParameters parameters, int segments) {
    try (var redis = recording();
        var service = new TestInstance(redis);
        var other = new TestInstance(redis)) {
      var name = name();
      var filter = service.create(name, parameters);
      assertEquals(segments, filter.shape().segments());
      Awaitility.await()
          .atMost(Duration.ofMinutes(5))
          .until(() -> other.describe(name).segmentsReady() == segments);

      var some = elements("element ", 1_000);
      assertEquals(1_000, await(service.elements.add(name, some)).trueCount());
      other.assertMaybe(name, some);
      assertEquals(0, await(other.elements.test(name, elements("other ", 1_000))).trueCount());
      assertEquals(0, await(other.elements.add(name, some)).trueCount());
      var statistics = other.describe(name).statistics();
      assertEquals(1_000, statistics.insertions());
      assertEquals(1_000, (double) statistics.approximateElementCount().orElseThrow(), 10);
      service.assertCountsAreExact(name);

      service.changes.clear(name);
      assertEquals(0, await(other.elements.test(name, some)).trueCount());
      assertEquals(0, other.describe(name).statistics().bitsSet());
      assertEquals(1_000, await(other.elements.add(name, some)).trueCount());
      service.changes.expire(name, Optional.of(Instant.now().plusSeconds(3600)));

      var to = name();
      service.renames.rename(name, to, false);
      other.assertMaybe(to, some);
      assertFails(ErrorCode.FILTER_NOT_FOUND, other.elements.test(name, some));
      other.changes.delete(to, false);
      assertFails(ErrorCode.FILTER_NOT_FOUND, service.elements.test(to, some));
      service.assertNothingLeft(filter);
      service.assertReconciled(to);
      report(segments + " segments", redis);
    }
  }

  /**
   * Calls that take a while are recorded. Not all: Redis records each command of a script as well,
   * which would make the script itself slow.
   */
  private static TestRedis recording() {
    return TestRedis.started("--slowlog-log-slower-than", "100", "--slowlog-max-len", "200000");
  }

  private static void report(String what, TestRedis redis) {
    var byText = new HashMap<String, Long>();
    for (var entry : redis.command("SLOWLOG", "GET", "200000")) {
      var command = entry.get(3);
      if (command.get(0).toString().toUpperCase(Locale.ROOT).startsWith("EVAL")) {
        byText.merge(command.get(1).toString(), entry.get(2).toLong(), Math::max);
      }
    }
    var longest = new EnumMap<Script, Long>(Script.class);
    byText.forEach((text, micros) -> longest.merge(TestLink.scriptOf(text), micros, Math::max));
    System.out.println(
        "Longest call of each script in microseconds, where above 100, " + what + ": " + longest);
    if (Boolean.getBoolean("bloomgate.test.strict-latency")) {
      for (Map.Entry<Script, Long> script : longest.entrySet()) {
        assertTrue(script.getValue() <= LONGEST_MICROS, script.toString());
      }
    }
  }
}
