package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestCounters;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is done by hand, or by an eviction, to a segment with a journal is told by its right name to
 * all: who holds a copy, who holds one that is behind, and who holds none.
 */
class JournalDamageTest {

  private static final FilterParameters ONE = shape(400_000, 7);
  private static final FilterParameters FORGETS =
      TestWindows.sized(16_000, TestWindows.years(4, true));
  private static final FilterParameters COUNTS = TestCounters.counting(16_000);
  private static final List<byte[]> WARM = elements("warm ", 1_000);
  private static final List<byte[]> FIRST = elements("first ", 60);
  private static final List<byte[]> SECOND = elements("second ", 60);

  private static TestRedis redis;
  private static TestInstance holder;
  private static TestInstance behind;
  private static TestInstance without;

  private final FilterName name = name();
  private Filter filter;
  private String state;
  private String bits;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    holder = new TestInstance(redis);
    behind = new TestInstance(redis);
    without = TestInstance.withoutCopies(redis);
  }

  @AfterAll
  static void stop() {
    holder.close();
    behind.close();
    without.close();
    redis.close();
  }

  /** What all are told of it. */
  private enum Harm {
    CUT_BY_A_BYTE(ErrorCode.FILTER_DAMAGED),
    CUT_BY_A_BLOCK(ErrorCode.FILTER_DAMAGED),
    CUT_WHOLE(ErrorCode.FILTER_DAMAGED),
    CUT_AMID_THE_SNAPSHOT(ErrorCode.FILTER_DAMAGED),
    MADE_LONGER(ErrorCode.FILTER_DAMAGED),
    BASE_LOST(ErrorCode.FILTER_DAMAGED),
    BASE_RAISED(ErrorCode.FILTER_DAMAGED),
    FOLDED_LOST(ErrorCode.FILTER_DAMAGED),
    FOLDED_BEYOND(ErrorCode.FILTER_DAMAGED),
    TIP_LOST(ErrorCode.FILTER_DAMAGED),
    TIP_LOWERED(ErrorCode.FILTER_DAMAGED),
    NO_NUMBER(ErrorCode.FILTER_DAMAGED),
    BITS_EVICTED(ErrorCode.FILTER_DAMAGED),
    STATE_EVICTED(ErrorCode.FILTER_DAMAGED),
    BOTH_EVICTED(ErrorCode.FILTER_NOT_FOUND),
    BITS_OF_ANOTHER_TYPE(ErrorCode.WRONG_KEY_TYPE),
    STATE_OF_ANOTHER_TYPE(ErrorCode.WRONG_KEY_TYPE);

    private final ErrorCode told;

    Harm(ErrorCode told) {
      this.told = told;
    }
  }

  @ParameterizedTest
  @EnumSource
  void allAreToldOfIt(Harm harm) {
    create(ONE, 0);
    harm(harm);
    assertAllFail(harm.told);
    if (harm.told == ErrorCode.FILTER_DAMAGED) {
      without.changes.delete(name, false);
      without.assertNothingLeft(filter);
    }
  }

  @ParameterizedTest
  @EnumSource
  void soTheyAreWhereElementsAreForgotten(Harm harm) {
    create(FORGETS, 0);
    harm(harm);
    assertAllFail(harm.told);
  }

  @ParameterizedTest
  @EnumSource
  void soTheyAreWhereElementsAreCounted(Harm harm) {
    create(COUNTS, 0);
    harm(harm);
    assertAllFail(harm.told);
    assertFails(harm.told, () -> holder.remove(name, SECOND));
    assertFails(harm.told, () -> without.remove(name, SECOND));
    assertFails(harm.told, () -> without.count(name, SECOND));
  }

  @ParameterizedTest
  @CsvSource({
    "countersAbove0, nan",
    "countersFull, nan",
    "countersFull, 1000000",
    "countersAbove0, 1",
    "counting, 2",
    "format, 1"
  })
  void soTheyAreOfTheFieldsOfCounters(String field, String value) {
    create(COUNTS, 0);
    redis.command("HSET", state, field, value);
    if (field.equals("format")) {
      assertFails(ErrorCode.FILTER_DAMAGED, () -> holder.describe(name));
    } else {
      assertAllFail(ErrorCode.FILTER_DAMAGED);
    }
  }

  @Test
  void whereCountersAreLostNobodyTakesThemForBits() {
    create(COUNTS, 0);
    redis.command("HDEL", state, "counting");
    assertAllFail(ErrorCode.FILTER_DAMAGED);
  }

  /** Counters are counted when a segment is read. */
  @Test
  void aWrongNumberOfCountersIsToldToWhomeverReadsThem() {
    create(COUNTS, 0);
    redis.command("HINCRBY", state, "countersAbove0", "-1");
    assertThere(holder);
    try (var fresh = new TestInstance(redis)) {
      assertFails(ErrorCode.FILTER_DAMAGED, fresh);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "slice, nan",
    "taken, nan",
    "newestSlice, nan",
    "window, 8 1 60",
    "window, ''",
    "format, 1"
  })
  void soTheyAreOfTheFieldsOfAWindow(String field, String value) {
    create(FORGETS, 0);
    redis.command("HSET", state, field, value);
    if (field.equals("format")) {
      assertFails(ErrorCode.FILTER_DAMAGED, () -> holder.describe(name));
    } else {
      assertAllFail(ErrorCode.FILTER_DAMAGED);
    }
  }

  /** Elements are answered all the same: these counts are for figures alone. */
  @ParameterizedTest
  @ValueSource(strings = {"1 2 3", "", "a 0 0 0 0", "-1 1 0 0 0", "0 0 0 0 0"})
  void whoDescribesAWindowSaysThatItsCountsAreDamaged(String held) {
    create(FORGETS, 0);
    holder.fold(filter);
    redis.command("HSET", state, "ringBitsSet", held);
    assertFails(ErrorCode.FILTER_DAMAGED, () -> holder.describe(name));
  }

  @Test
  void whereTheWindowIsLostNobodyTakesItForAFilterThatForgetsNothing() {
    create(FORGETS, 0);
    redis.command("HDEL", state, "window");
    assertAllFail(ErrorCode.FILTER_DAMAGED);
  }

  /** The first segment tells that the filter is there, so it has lost a part. */
  @ParameterizedTest
  @EnumSource
  void soTheyAreOfALaterSegment(Harm harm) {
    create(SEVERAL, 1);
    harm(harm);
    assertAllFail(
        harm == Harm.BOTH_EVICTED || harm == Harm.STATE_EVICTED
            ? ErrorCode.FILTER_DAMAGED
            : harm.told);
  }

  private void harm(Harm harm) {
    var length = redis.command("STRLEN", bits).toLong();
    var snapshot = filter.shape().segmentBytes();
    var block = (length - snapshot) / 2;
    switch (harm) {
      case CUT_BY_A_BYTE -> cut(length - 1);
      case CUT_BY_A_BLOCK -> cut(length - block);
      case CUT_WHOLE -> cut(snapshot);
      case CUT_AMID_THE_SNAPSHOT -> cut(snapshot / 2);
      case MADE_LONGER -> redis.command("APPEND", bits, "more");
      case BASE_LOST -> redis.command("HDEL", state, "base");
      case BASE_RAISED -> redis.command("HINCRBY", state, "base", Long.toString(block));
      case FOLDED_LOST -> redis.command("HDEL", state, "folded");
      case FOLDED_BEYOND -> redis.command("HINCRBY", state, "folded", Long.toString(length));
      case TIP_LOST -> redis.command("HDEL", state, "tip");
      case TIP_LOWERED -> redis.command("HINCRBY", state, "tip", Long.toString(-block));
      case NO_NUMBER -> redis.command("HSET", state, "folded", "nan");
      case BITS_EVICTED -> redis.command("DEL", bits);
      case STATE_EVICTED -> redis.command("DEL", state);
      case BOTH_EVICTED -> redis.command("DEL", bits, state);
      case BITS_OF_ANOTHER_TYPE -> {
        redis.command("DEL", bits);
        redis.command("RPUSH", bits, "theirs");
      }
      case STATE_OF_ANOTHER_TYPE -> redis.command("SET", state, "theirs");
    }
  }

  /** Bytes cannot be sent as text, so a script takes them away. */
  private void cut(long length) {
    redis.command(
        "EVAL",
        "redis.call('SET', KEYS[1], redis.call('GETRANGE', KEYS[1], 0, ARGV[1] - 1))",
        "1",
        bits,
        Long.toString(length));
  }

  /** Overwrites bytes, and leaves the length. */
  private void fill(long from, long length, String what) {
    redis.command(
        "EVAL",
        "redis.call('SETRANGE', KEYS[1], ARGV[1], string.rep(" + what + ", ARGV[2]))",
        "1",
        bits,
        Long.toString(from),
        Long.toString(length));
  }

  /** Who has replayed it already knows better; everybody else is told of the damage. */
  @Test
  void aJournalOverwrittenWithJunkIsToldToWhomeverReadsIt() {
    for (var junk : List.of("'\\0'", "'\\255'", "'x'")) {
      create(ONE, 0);
      var snapshot = filter.shape().segmentBytes();
      fill(snapshot, redis.command("STRLEN", bits).toLong() - snapshot, junk);
      assertFails(ErrorCode.FILTER_DAMAGED, behind);
      assertFails(ErrorCode.FILTER_DAMAGED, without);
      assertThere(holder);
      holder.add(name, elements("more ", 20));
      assertFails(ErrorCode.FILTER_DAMAGED, without);
      assertFails(ErrorCode.FILTER_DAMAGED, behind);
      holder.changes.delete(name, false);
      holder.assertNothingLeft(filter);
    }
  }

  /** Bits are counted when a segment is read, and copies need not read it. */
  @Test
  void aSnapshotOverwrittenIsToldToWhomeverReadsIt() {
    create(ONE, 0);
    fill(0, filter.shape().segmentBytes(), "'\\0'");
    assertThere(holder);
    assertThere(behind);
    assertFails(ErrorCode.FILTER_DAMAGED, without);
    try (var fresh = new TestInstance(redis)) {
      assertFails(ErrorCode.FILTER_DAMAGED, fresh);
    }
  }

  /** A copy that is put in the place of what was overwritten mends it. */
  @Test
  void aNewSnapshotMendsWhatWasOverwritten() {
    create(ONE, 0);
    fill(0, filter.shape().segmentBytes(), "'\\0'");
    holder.add(name, elements("many ", 1_000));
    assertThere(holder);
    assertThere(behind);
    assertThere(without);
    without.assertCountsAreExact(name);
  }

  /**
   * What has the form of a journal, or of a snapshot that is as counted, is taken for one: nothing
   * tells it from another. Only who holds a copy knows better.
   */
  @Test
  void whatHasTheRightFormIsTakenForWhatItSeems() {
    create(ONE, 0);
    redis.command("HSET", state, "folded", redis.command("HGET", state, "tip").toString());
    assertEquals(0, Answers.of(without.test(name, SECOND)).trueCount(), "found where they are not");
    without.assertMaybe(name, WARM);
  }

  /** Without a mark nobody knows whether his copy is of this history, so he reads it. */
  @ParameterizedTest
  @EnumSource
  void whatCanBeReadAgainIs(Mark mark) {
    create(ONE, 0);
    switch (mark) {
      case LOST -> redis.command("HDEL", state, "mark");
      case EMPTY -> redis.command("HSET", state, "mark", "");
      case ANOTHER -> redis.command("HSET", state, "mark", "0123456789abcdef");
      case LOST_OF_THE_BASE -> redis.command("HDEL", state, "baseMark");
      case FOLDED_LOWERED ->
          redis.command("HSET", state, "folded", redis.command("HGET", state, "base").toString());
    }
    for (var instance : List.of(holder, behind, without)) {
      assertThere(instance);
    }
    var number = 0;
    for (var instance : List.of(holder, behind, without)) {
      var some = elements("of " + number++ + " ", 20);
      assertEquals(20, Answers.of(instance.add(name, some)).trueCount());
      List.of(holder, behind, without).forEach(other -> other.assertMaybe(name, some));
    }
    holder.assertCountsAreExact(name);
  }

  private enum Mark {
    LOST,
    EMPTY,
    ANOTHER,
    LOST_OF_THE_BASE,
    FOLDED_LOWERED
  }

  /**
   * A segment whose journal begins behind 0, with a block that is in the bitmap and one that is
   * not. One instance has replayed both and another only the first.
   */
  private void create(FilterParameters kind, int segment) {
    filter = holder.create(name, kind);
    state = TestStores.keys(filter, segment).get(0);
    bits = TestStores.keys(filter, segment).get(1);
    holder.add(name, WARM);
    holder.add(name, elements("before ", 60));
    holder.fold(filter);
    holder.assertMaybe(name, WARM);
    behind.assertMaybe(name, WARM);
    holder.add(name, FIRST);
    await(holder.stores.journals().replay(filter, segment, false));
    behind.assertMaybe(name, FIRST);
    holder.add(name, SECOND);
    var places = redis.command("HMGET", state, "base", "folded", "tip");
    var numbers = IntStream.range(0, 3).mapToLong(i -> places.get(i).toLong()).toArray();
    assertTrue(0 < numbers[0] && numbers[0] < numbers[1] && numbers[1] < numbers[2], "" + places);
  }

  private static void assertThere(TestInstance instance, FilterName name) {
    for (var some : List.of(WARM, FIRST, SECOND)) {
      instance.assertMaybe(name, some);
    }
  }

  private void assertThere(TestInstance instance) {
    assertThere(instance, name);
  }

  private void assertAllFail(ErrorCode code) {
    for (var instance : List.of(holder, behind, without)) {
      assertFails(code, instance);
      assertFails(code, () -> instance.describe(name));
    }
  }

  /** Also when asked again, and of a single element. */
  private void assertFails(ErrorCode code, TestInstance instance) {
    for (var tries = 0; tries < 2; tries++) {
      assertFails(code, () -> instance.test(name, SECOND));
      assertFails(code, () -> instance.add(name, elements("late ", 60)));
    }
  }

  private static void assertFails(ErrorCode code, Executable call) {
    var failure = assertThrows(BloomException.class, call);
    assertEquals(code, failure.code(), failure.getMessage());
  }
}
