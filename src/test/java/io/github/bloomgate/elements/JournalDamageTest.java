package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.TestCounters;
import io.github.bloomgate.support.TestInstance;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is done by hand, or by an eviction, to a segment with a journal is told by its right name to
 * all: who holds a copy, who holds one that is behind, and who holds none.
 */
class JournalDamageTest extends DamagedSegment {

  private static final FilterParameters ONE = shape(400_000, 7);

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

  /** Nobody answers for an element alone, of whichever segment, and none is written. */
  @ParameterizedTest
  @EnumSource(
      names = {
        "BITS_EVICTED",
        "STATE_EVICTED",
        "BOTH_EVICTED",
        "BITS_OF_ANOTHER_TYPE",
        "STATE_OF_ANOTHER_TYPE"
      })
  void withoutTheFirstSegmentNoneIsAnswered(Harm harm) {
    create(SEVERAL, 0);
    var lengths = lengthsOfLaterOnes();
    harm(harm);
    for (var element : elements("alone ", 20)) {
      for (var instance : List.of(holder, behind, without)) {
        assertFails(harm.told, () -> instance.test(name, List.of(element)));
        assertFails(harm.told, () -> instance.add(name, List.of(element)));
      }
    }
    assertEquals(lengths, lengthsOfLaterOnes());
  }

  /** What is left of the one that is gone is not found in the one that has its name. */
  @Test
  void whereTheFirstSegmentWasEvictedAnotherFilterIsEmpty() {
    create(SEVERAL, 0);
    harm(Harm.BOTH_EVICTED);
    holder.create(name, SEVERAL);
    for (var element : SECOND) {
      for (var instance : List.of(behind, without, holder)) {
        assertEquals(0, Answers.of(instance.test(name, List.of(element))).trueCount());
      }
      assertEquals(1, Answers.of(without.add(name, List.of(element))).trueCount());
      assertEquals(0, Answers.of(behind.add(name, List.of(element))).trueCount());
    }
    holder.assertMaybe(name, SECOND);
    holder.assertCountsAreExact(name);
  }

  private List<Long> lengthsOfLaterOnes() {
    return IntStream.range(1, filter.segments())
        .mapToObj(i -> redis.command("STRLEN", TestStores.keys(filter, i).get(1)).toLong())
        .toList();
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

  /** As a Redis leaves it that was killed amid an add, see UnfinishedTransactionTest. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void wholeBlocksThatTheStateDoesNotCountAreThere(int segment) {
    create(segment == 0 ? ONE : SEVERAL, segment);
    var tip = redis.command("HGET", state, "tip").toString();
    redis.command("HSET", state, "tip", redis.command("HGET", state, "folded").toString());
    assertThere(without);
    assertEquals(tip, redis.command("HGET", state, "tip").toString());
    assertThere(behind);
    assertThere(holder);
    holder.assertCountsAreExact(name);
  }

  /** Else what was acknowledged since could be refused. */
  @Test
  void theyAreADamageWhereThereIsNoRoomForThem() {
    filter = holder.create(name, TestInstance.sized(100_000, 1e-9, WhenFull.REJECT));
    holder.add(name, WARM);
    holder.fold(filter);
    holder.add(name, FIRST);
    state = TestStores.keys(filter, 0).get(0);
    var folded = redis.command("HGET", state, "folded").toString();
    redis.command("HSET", state, "tip", folded, "maxInsertions", "1059");
    assertFails(ErrorCode.FILTER_DAMAGED, () -> without.test(name, FIRST));
    redis.command("HSET", state, "maxInsertions", "1060");
    without.assertMaybe(name, FIRST);
  }

  /** Else an element could be removed that was added again since, or twice. */
  @Test
  void theyAreADamageWhereTheyRemove() {
    filter = holder.create(name, TestCounters.counting(100_000));
    holder.add(name, WARM);
    holder.fold(filter);
    holder.add(name, FIRST);
    state = TestStores.keys(filter, 0).get(0);
    var folded = redis.command("HGET", state, "folded").toString();
    var counted = redis.command("HGET", state, "tip").toString();
    holder.remove(name, FIRST);
    redis.command("HSET", state, "tip", counted);
    assertFails(ErrorCode.FILTER_DAMAGED, () -> without.test(name, WARM));
    redis.command("HSET", state, "tip", folded);
    assertFails(ErrorCode.FILTER_DAMAGED, () -> without.test(name, WARM));
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
    holder.add(name, elements("many ", 2_000));
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
}
