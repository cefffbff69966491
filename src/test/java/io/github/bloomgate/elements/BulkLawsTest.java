package io.github.bloomgate.elements;

import static io.github.bloomgate.support.Flags.count;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.Description;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Large adds and tests, which are done on bitmaps, answer and count as small ones do. */
@Tag("slow")
class BulkLawsTest extends BulkInstances {

  /** Flags, counts and bits are those of a simple model, on requests that repeat elements. */
  @ParameterizedTest
  @MethodSource("shapes")
  void everythingIsAsOfASimpleModel(FilterParameters parameters) {
    var seed = System.nanoTime();
    System.out.println("everythingIsAsOfASimpleModel: seed " + seed);
    var random = new Random(seed);
    var name = name();
    bulk.create(name, parameters);
    var model = new Model(parameters);
    var merged = snapshots("written");
    for (var round = 0; round < 5; round++) {
      // Few in between, which make what is held out of date.
      var few = request(random, 5, 40_000);
      assertArrayEquals(model.add(few), plain.add(name, few));
      var many = request(random, MANY / 2 + random.nextInt(MANY), 40_000);
      assertArrayEquals(model.add(many), bulk.add(name, many), "round " + round);
      model.assertSame(plain.describe(name));
      var question = request(random, MANY, 200_000);
      assertArrayEquals(model.test(question), bulk.test(name, question));
    }
    // In a larger segment so few are journaled.
    assertTrue(
        snapshots("written") > merged || parameters.shape().segments() > 1,
        "nothing was added in bulk");
  }

  private static List<byte[]> request(Random random, int size, int elements) {
    var request = new ArrayList<byte[]>();
    for (var i = 0; i < size; i++) {
      request.add(TestInstance.element("e" + random.nextInt(elements)));
    }
    return request;
  }

  /** A filter as it is told, element by element. */
  private static final class Model {
    private final FilterParameters parameters;
    private final List<BitSet> segments = new ArrayList<>();
    private long insertions;

    private Model(FilterParameters parameters) {
      this.parameters = parameters;
      for (var i = 0; i < parameters.shape().segments(); i++) {
        segments.add(new BitSet());
      }
    }

    private boolean[] add(List<byte[]> elements) {
      var isNew = new boolean[elements.size()];
      for (var i = 0; i < isNew.length; i++) {
        isNew[i] = !contains(elements.get(i), true);
        insertions += isNew[i] ? 1 : 0;
      }
      return isNew;
    }

    private boolean[] test(List<byte[]> elements) {
      var maybe = new boolean[elements.size()];
      for (var i = 0; i < maybe.length; i++) {
        maybe[i] = contains(elements.get(i), false);
      }
      return maybe;
    }

    private boolean contains(byte[] element, boolean add) {
      var positions = new long[Math.max(2, parameters.shape().numHashFunctions())];
      var scheme = parameters.hashScheme();
      var bits = segments.get(scheme.locate(element, parameters.shape(), positions));
      var all = true;
      for (var i = 0; i < parameters.shape().numHashFunctions(); i++) {
        all &= bits.get((int) positions[i]);
        if (add) {
          bits.set((int) positions[i]);
        }
      }
      return all;
    }

    private void assertSame(Description description) {
      assertEquals(insertions, description.statistics().insertions());
      var filter = description.filter();
      var bitsSet = 0L;
      for (var segment = 0; segment < segments.size(); segment++) {
        var length = (int) filter.shape().segmentBytes();
        var bytes = await(plain.stores.segments().read(filter, segment, 0, length)).bytes();
        var expected = new byte[length];
        segments.get(segment).stream().forEach(x -> expected[x >> 3] |= (byte) (0x80 >> (x & 7)));
        assertArrayEquals(expected, bytes);
        bitsSet += segments.get(segment).cardinality();
      }
      assertEquals(bitsSet, description.statistics().bitsSet());
    }
  }

  /** Two services add overlapping elements in bulk while a third adds few of them one by one. */
  @ParameterizedTest
  @MethodSource("shapes")
  void everyElementIsNewForOneOfThoseWhoAddIt(FilterParameters parameters) throws Exception {
    var name = name();
    var seed = System.nanoTime();
    System.out.println("BulkLawsTest.everyElementIsNewForOneOfThoseWhoAddIt: seed " + seed);
    bulk.create(name, parameters);
    var all = elements("shared ", MANY);
    var news = new AtomicInteger();
    var done = new AtomicBoolean();
    try (var second = new TestInstance(redis)) {
      var few =
          Beside.run(
              () -> {
                var random = new Random(seed);
                while (!done.get()) {
                  var from = random.nextInt(MANY - 3);
                  news.addAndGet(count(plain.add(name, all.subList(from, from + 3))));
                }
              });
      var writers =
          List.of(bulk, second).stream()
              .map(
                  instance ->
                      Beside.run(
                          () -> {
                            var random = new Random(seed + instance.hashCode());
                            for (var round = 0; round < 8; round++) {
                              var from = random.nextInt(MANY / 2);
                              var to = from + MANY / 2;
                              var part = all.subList(from, to);
                              news.addAndGet(count(instance.add(name, part)));
                              instance.assertMaybe(name, part);
                            }
                            news.addAndGet(count(instance.add(name, all)));
                          }))
              .toList();
      for (var writer : writers) {
        writer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
      done.set(true);
      few.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    assertEquals(news.get(), plain.describe(name).statistics().insertions());
    plain.assertCountsAreExact(name);
    plain.assertMaybe(name, all);
    assertTrue(news.get() <= MANY, news.get() + " were new");
  }

  @Test
  void aFilterThatRejectsTakesExactlyItsN() {
    var name = name();
    bulk.create(name, TestInstance.sized(MANY, 1e-6, WhenFull.REJECT));
    var merged = snapshots("written");
    assertEquals(20_000, count(bulk.add(name, elements("first ", 20_000))));
    assertTrue(snapshots("written") > merged, "nothing was added in bulk");
    var request = new ArrayList<>(elements("first ", 5_000));
    request.addAll(elements("more ", 20_000));
    request.addAll(elements("first ", 5_000));
    var full = assertThrows(BloomException.class, () -> bulk.add(name, request));
    assertEquals(ErrorCode.FILTER_FULL, full.code());
    assertEquals(new ProblemDetails.Applied(15_000, true), full.facts().orElseThrow());
    plain.assertMaybe(name, request.subList(0, 15_000));
    assertEquals(MANY, plain.describe(name).statistics().insertions());
    plain.assertCountsAreExact(name);
  }

  @Test
  void aRebuildThatRejectsTellsHowFarItWasLoaded() {
    var name = name();
    bulk.create(name, TestInstance.sized(MANY, 1e-6, WhenFull.REJECT));
    var open = bulk.openings.open(name, same -> same, PATIENCE);
    var next = bulk.openings.awaitReady(open);
    assertEquals(20_000, await(bulk.loads.load(next, elements("first ", 20_000))).trueCount());
    var full =
        assertThrows(
            BloomException.class, () -> await(bulk.loads.load(next, elements("more ", 20_000))));
    assertEquals(new ProblemDetails.Applied(10_000, true), full.facts().orElseThrow());
    // An element of the filter that the rebuild cannot take is not acknowledged.
    TestInstance.assertFails(
        ErrorCode.FILTER_FULL, bulk.elements.add(name, elements("third ", 20_000)));
  }

  /** What comes while one call is under way goes together, and each learns what it changed. */
  @ParameterizedTest
  @MethodSource("shapes")
  void requestsThatComeTogetherShareABitmap(FilterParameters parameters) throws Exception {
    var name = name();
    var filter = bulk.create(name, parameters);
    bulk.add(name, elements("known ", 2_000));
    var merged = snapshots("written");
    var gate = "gate:" + name;
    bulk.holdBack(gate);
    var waiting = new ArrayList<CompletableFuture<Answers>>();
    for (var i = 0; i < 30; i++) {
      // Half of its elements are those of the one before.
      var some = elements("together ", 400 + 200 * i).subList(200 * i, 400 + 200 * i);
      waiting.add(bulk.elements.add(name, some).subscribeAsCompletionStage());
    }
    redis.command("LPUSH", gate, "go");
    var news = 0;
    for (var answers : waiting) {
      news += answers.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).trueCount();
    }
    var calls = snapshots("written") - merged;
    assertTrue(calls > 0 || filter.shape().segments() > 1, "nobody shared");
    assertTrue(calls <= 3 * filter.shape().segments(), calls + " merges");
    plain.assertMaybe(name, elements("together ", 6_200));
    var statistics = plain.describe(name).statistics();
    assertEquals(statistics.insertions(), news + insertionsOf(parameters));
    plain.assertCountsAreExact(name);
  }

  /** How many of the known elements changed a bit, in a filter of their own. */
  private static long insertionsOf(FilterParameters parameters) {
    var alone = name();
    plain.create(alone, parameters);
    return count(plain.add(alone, elements("known ", 2_000)));
  }
}
