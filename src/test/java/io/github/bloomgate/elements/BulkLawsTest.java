package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Large adds and tests, which are done on bitmaps, answer and count as small ones do. */
@Tag("slow")
class BulkLawsTest {

  private static final int MANY = 30_000;
  private static final Duration PATIENCE = TestInstance.PATIENCE;

  private static TestRedis redis;
  private static TestInstance bulk;
  private static TestInstance plain;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    bulk = new TestInstance(redis);
    plain = TestInstance.withoutCopies(redis);
  }

  @AfterAll
  static void stop() {
    bulk.close();
    plain.close();
    redis.close();
  }

  static List<FilterParameters> shapes() {
    return List.of(
        TestInstance.sized(20_000, 0.01, WhenFull.ACCEPT),
        TestInstance.shape(300_000, 1),
        TestInstance.shape(4_000_000, 24),
        TestInstance.SEVERAL);
  }

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
  void whoMeetsOthersBeginsAnewAndGivesWayInTheEnd() throws Exception {
    var name = name();
    plain.create(name, TestInstance.shape(16_000_000, 7));
    var done = new AtomicBoolean();
    var news = new AtomicInteger();
    var changed = snapshots("changed");
    var others =
        Beside.run(
            () -> {
              for (var i = 0; !done.get(); i++) {
                news.addAndGet(count(plain.add(name, elements("other " + i + ".", 1))));
              }
            });
    var rounds = 0;
    try {
      // The thread beside may be held up for any number of rounds.
      for (; rounds < 10 || (snapshots("changed") == changed && rounds < 1_000); rounds++) {
        news.addAndGet(count(bulk.add(name, elements("round " + rounds + ".", 10_000))));
      }
    } finally {
      done.set(true);
    }
    others.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertTrue(snapshots("changed") > changed, "nobody was in the way");
    assertEquals(news.get(), plain.describe(name).statistics().insertions());
    plain.assertCountsAreExact(name);
    try (var fresh = new TestInstance(redis)) {
      for (var round = 0; round < rounds; round++) {
        fresh.assertMaybe(name, elements("round " + round + ".", 10_000));
      }
    }
  }

  /** Adds go on while rebuilds are opened and end in turn; what was answered outlives each. */
  @ParameterizedTest
  @MethodSource("shapes")
  void noAddIsLostWhereRebuildsComeAndGo(FilterParameters parameters) throws Exception {
    var name = name();
    bulk.create(name, parameters);
    Set<Integer> answered = ConcurrentHashMap.newKeySet();
    var begun = new AtomicInteger();
    var permits = new Semaphore(0);
    var done = new AtomicBoolean();
    var writer =
        Beside.run(
            () -> {
              permits.acquireUninterruptibly();
              for (var batch = 0; !done.get(); batch++) {
                begun.incrementAndGet();
                await(bulk.elements.add(name, batch(batch)));
                answered.add(batch);
                permits.acquireUninterruptibly();
              }
            });
    try {
      for (var round = 0; round < 4; round++) {
        letAdd(4, 2, permits, answered, writer);
        var open = plain.openings.open(name, same -> same, PATIENCE);
        var next = plain.openings.awaitReady(open);
        // The source of the rebuild, loaded in bulk as well. What is under way may have been
        // written
        // before the rebuild was opened.
        permits.release(4);
        var source = begun.get();
        for (var batch = 0; batch < source; batch++) {
          await(bulk.loads.load(next, batch(batch)));
        }
        letAdd(1, 1, permits, answered, writer);
        if (round % 2 == 0) {
          plain.rebuilds.commit(next, 1, NewDeadline.KEEP);
        } else {
          plain.rebuilds.abort(next);
        }
      }
    } finally {
      done.set(true);
      permits.release();
    }
    writer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    try (var fresh = new TestInstance(redis)) {
      for (var batch : answered) {
        fresh.assertMaybe(name, batch(batch));
      }
    }
    plain.assertCountsAreExact(name);
  }

  private static List<byte[]> batch(int number) {
    return elements("batch " + number + ".", 4_000);
  }

  /** Lets a writer add some batches more, and waits until some of them are answered. */
  private static void letAdd(
      int batches, int enough, Semaphore permits, Set<Integer> answered, Future<?> writer) {
    var before = answered.size();
    permits.release(batches);
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> answered.size() >= before + enough || writer.isDone());
  }

  private static void awaitMore(AtomicInteger rounds, Future<?> use) {
    var enough = rounds.get() + 2;
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> rounds.get() >= enough || use.isDone());
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void whatIsHeldOfOtherContentIsNotUsed(FilterParameters parameters) {
    var name = name();
    var to = name();
    var all = elements("some ", MANY);
    bulk.create(name, parameters);
    bulk.add(name, all);
    plain.changes.clear(name);
    assertEquals(newIn(parameters, all), count(bulk.add(name, all)));
    bulk.assertMaybe(name, all);
    bulk.assertCountsAreExact(name);
    plain.renames.rename(name, to, false);
    TestInstance.assertFails(ErrorCode.FILTER_NOT_FOUND, bulk.elements.add(name, all));
    assertEquals(0, count(bulk.add(to, all)));
    plain.changes.delete(to, false);
    TestInstance.assertFails(ErrorCode.FILTER_NOT_FOUND, bulk.elements.add(to, all));
    bulk.create(to, parameters);
    assertEquals(newIn(parameters, all), count(bulk.add(to, all)));
    bulk.assertMaybe(to, all);
    bulk.assertCountsAreExact(to);
  }

  private static int newIn(FilterParameters parameters, List<byte[]> all) {
    var name = name();
    plain.create(name, parameters);
    return count(plain.add(name, all));
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

  @Test
  void aRedisThatIsFullOrAwayIsToldAndNothingIsForgotten() throws Exception {
    try (var own = TestRedis.started();
        var service = new TestInstance(own);
        var other = TestInstance.withoutCopies(own)) {
      var name = name();
      service.create(name, TestInstance.shape(16_000_000, 7));
      service.add(name, elements("before ", MANY));
      own.command("CONFIG", "SET", "maxmemory", "1");
      TestInstance.assertFails(
          ErrorCode.STORE_FULL, service.elements.add(name, elements("full ", MANY)));
      own.command("CONFIG", "SET", "maxmemory", "0");
      other.assertCountsAreExact(name);
      // Its bits are held by no one: elements refused are new when they are sent again.
      assertTrue(count(service.add(name, elements("full ", MANY))) > MANY - 100);
      other.assertMaybe(name, elements("full ", MANY));

      var answered = new ArrayList<Integer>();
      var rounds = new AtomicInteger();
      var done = new AtomicBoolean();
      var writer =
          Beside.run(
              () -> {
                for (var batch = 0; !done.get(); batch++) {
                  try {
                    service.add(name, batch(batch));
                    answered.add(batch);
                    rounds.incrementAndGet();
                  } catch (BloomException away) {
                    assertTrue(
                        away.code() == ErrorCode.STORE_UNAVAILABLE
                            || away.code() == ErrorCode.STORE_OUTCOME_UNKNOWN,
                        away.getMessage());
                  }
                }
              });
      for (var i = 0; i < 20; i++) {
        awaitMore(rounds, writer);
        own.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      }
      done.set(true);
      writer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      Awaitility.await()
          .atMost(PATIENCE)
          .ignoreExceptionsInstanceOf(BloomException.class)
          .until(() -> other.describe(name) != null);
      for (var batch : answered) {
        other.assertMaybe(name, batch(batch));
      }
      other.assertMaybe(name, elements("before ", MANY));
      other.assertCountsAreExact(name);
    }
  }

  /** Many at once would hold many bitmaps: those too many are done without. */
  @Test
  void whoFindsNoRoomDoesWithout() throws Exception {
    var waiting = new LinkedHashMap<FilterName, Future<?>>();
    for (var i = 0; i < 40; i++) {
      var name = name();
      bulk.create(name, TestInstance.shape(16_000_000, 7));
      var some = elements("many ", 2_000);
      waiting.put(name, bulk.elements.add(name, some).subscribeAsCompletionStage());
    }
    for (var filter : waiting.entrySet()) {
      filter.getValue().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      bulk.assertMaybe(filter.getKey(), elements("many ", 2_000));
      bulk.assertCountsAreExact(filter.getKey());
    }
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

  private static double snapshots(String result) {
    return bulk.metrics.counter("bloom.journal.snapshots", "result", result).count();
  }

  private static int count(boolean[] flags) {
    var count = 0;
    for (var flag : flags) {
      count += flag ? 1 : 0;
    }
    return count;
  }
}
