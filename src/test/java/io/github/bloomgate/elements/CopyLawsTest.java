package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.SegmentCalls;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.StaleFilterException;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Copies of segments give the answers that Redis would give. */
class CopyLawsTest {

  private static final FilterParameters ONE = shape(100_000, 7);

  private static TestRedis redis;
  private static TestInstance reader;
  private static TestInstance writer;

  private final FilterName name = name();

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    reader = new TestInstance(redis);
    writer = new TestInstance(redis);
  }

  @AfterAll
  static void stop() {
    reader.close();
    writer.close();
    redis.close();
  }

  static List<FilterParameters> kinds() {
    return List.of(ONE, SEVERAL);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void whatAnotherInstanceAddsIsSeenAtOnce(FilterParameters kind) throws Exception {
    reader.create(name, kind);
    warm();
    for (var round = 0; round < 300; round++) {
      var some = elements("r" + round + "-", 5);
      writer.add(name, some);
      reader.assertMaybe(name, some);
    }
    assertTrue(inCopies() > 0);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void whatBothAddAtOnceIsSeenByBoth(FilterParameters kind) throws Exception {
    reader.create(name, kind);
    warm();
    var seed = System.nanoTime();
    var stopped = new AtomicBoolean();
    var others =
        List.of(
            Beside.run(() -> addAndTest(writer, "w", new Random(seed), stopped)),
            Beside.run(() -> addAndTest(reader, "x", new Random(seed + 1), stopped)),
            Beside.run(() -> addAndTest(reader, "y", new Random(seed + 2), stopped)));
    for (var round = 0; round < 200; round++) {
      var some = elements("both" + round + "-", 20);
      reader.add(name, some);
      reader.assertMaybe(name, some);
      writer.assertMaybe(name, some);
    }
    stopped.set(true);
    for (var other : others) {
      other.get(60, TimeUnit.SECONDS);
    }
    reader.assertCountsAreExact(name);
    assertSameAsRedis(name, kind, seed);
  }

  private void addAndTest(TestInstance by, String prefix, Random random, AtomicBoolean stopped) {
    for (var i = 0; !stopped.get(); i++) {
      var some = elements(prefix + i + "-", 1 + random.nextInt(30));
      by.add(name, some);
      (random.nextBoolean() ? reader : writer).assertMaybe(name, some);
    }
  }

  /** Neither more nor less than the bits in Redis: those of elements never added too. */
  private void assertSameAsRedis(FilterName filter, FilterParameters kind, long seed) {
    var probes = elements("probe" + seed, 2_000);
    var answers = reader.test(filter, probes);
    var stored = reader.describe(filter).filter();
    for (var i = 0; i < probes.size(); i++) {
      assertEquals(isSet(stored, kind, probes.get(i)), answers[i], "seed " + seed);
    }
  }

  private boolean isSet(Filter stored, FilterParameters kind, byte[] element) {
    var positions = new long[kind.shape().numHashFunctions()];
    var segment = kind.hashScheme().locate(element, kind.shape(), positions);
    var key = TestStores.keys(stored, segment).get(1);
    for (var position : positions) {
      if (reader.redis("GETBIT", key, Long.toString(position)).toInteger() == 0) {
        return false;
      }
    }
    return true;
  }

  @Test
  void ownAddsKeepACopyOfUse() throws Exception {
    reader.create(name, ONE);
    warm();
    var before = inRedis();
    for (var round = 0; round < 50; round++) {
      reader.add(name, elements("own" + round + "-", 10));
      reader.test(name, elements("absent" + round + "-", 10));
    }
    assertEquals(before, inRedis());
  }

  @Test
  void contentThatIsDroppedElsewhereIsNotRemembered() throws Exception {
    reader.create(name, ONE);
    reader.add(name, List.of(element("a")));
    warm();
    writer.changes.clear(name);
    assertFalse(reader.test(name, List.of(element("a")))[0]);
    reader.add(name, List.of(element("a")));
    warm();
    writer.changes.delete(name, false);
    writer.create(name, shape(70_000, 3));
    assertFalse(reader.test(name, List.of(element("a")))[0]);
  }

  /** Who knows a filter by its old name only must not be answered for the new one. */
  @Test
  void aRenamedFilterIsNotTestedUnderItsOldName() {
    var old = reader.create(name, ONE);
    warm();
    var to = name();
    writer.renames.rename(name, to, false);
    var renamed = writer.describe(to).filter();
    var unknown = element("x");
    var gate = "gate:" + name;
    reader.holdBack(gate);
    var fresh = new ArrayList<CompletableFuture<boolean[]>>();
    for (var i = 0; i < 3; i++) {
      fresh.add(ask(renamed, unknown));
    }
    var stale = ask(old, unknown);
    redis.command("LPUSH", gate, "go");
    assertInstanceOf(
        StaleFilterException.class,
        assertThrows(CompletionException.class, stale::join).getCause());
    fresh.forEach(answer -> assertFalse(answer.join()[0]));
  }

  /** A copy that is being read is not replaced by another still to be read. */
  @Test
  void oneReadIsEnoughHoweverManyTestMeanwhile() {
    var filter = reader.create(name, ONE);
    var reads = reads();
    var gate = "gate:" + name;
    reader.holdBack(gate);
    var answers = new ArrayList<CompletableFuture<boolean[]>>();
    for (var i = 0; i < 500; i++) {
      answers.add(ask(filter, element("x" + i)));
    }
    redis.command("LPUSH", gate, "go");
    answers.forEach(CompletableFuture::join);
    assertEquals(reads + 1, reads());
  }

  /** Asks the instance as if it knew this filter. */
  private static CompletableFuture<boolean[]> ask(Filter filter, byte[] element) {
    return reader
        .segments
        .test(filter, List.of(element), SegmentCalls.ONCE)
        .map(TestedElements::maybe)
        .subscribeAsCompletionStage();
  }

  /** How often a segment was read as a whole. */
  private static double reads() {
    return reader.metrics.get("bloom.copies.reads").tag("reason", "first").counter().count();
  }

  @Test
  void aCountThatWentDownDropsTheCopy() throws Exception {
    var filter = reader.create(name, ONE);
    reader.add(name, List.of(element("a"), element("b")));
    warm();
    var keys = TestStores.keys(filter, 0);
    redis.command("SET", keys.get(1), "");
    redis.command("SETBIT", keys.get(1), "100031", "0");
    redis.command("HSET", keys.get(0), "bitsSet", "0");
    assertFalse(reader.test(name, List.of(element("a")))[0]);
    assertFalse(reader.test(name, List.of(element("b")))[0]);
  }

  @Test
  void aSegmentThatLostItsKeyIsAnErrorAtOnce() throws Exception {
    var filter = reader.create(name, ONE);
    reader.add(name, List.of(element("a")));
    warm();
    redis.command("DEL", TestStores.keys(filter, 0).get(1));
    TestInstance.assertFails(
        ErrorCode.FILTER_DAMAGED, reader.elements.test(name, List.of(element("a"))));
  }

  /** Until answers come from a copy of each segment. */
  private void warm() {
    var probes = elements("warm", 1_000);
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .until(
            () -> {
              var before = inRedis();
              reader.test(name, probes);
              return inRedis() == before;
            });
  }

  private static long inCopies() {
    return count("copy");
  }

  private static long inRedis() {
    return count("redis");
  }

  private static long count(String where) {
    var counter = reader.metrics.get("bloom.copies.tests").tag("decided", where).counter();
    return (long) counter.count();
  }
}
