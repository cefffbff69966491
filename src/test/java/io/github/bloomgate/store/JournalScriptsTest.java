package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.journal.Added;
import io.github.bloomgate.journal.Blocks;
import io.github.bloomgate.journal.JournalPlace;
import io.github.bloomgate.journal.Marks;
import io.github.bloomgate.journal.SegmentCopy;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts that follow, write and shorten the journal of a segment. */
class JournalScriptsTest {

  /** Of the filters of {@link ScriptBench}: 128 bits, 3 hash functions. */
  private static final int K = 3;

  private static final int BYTES = 16;

  private static TestRedis redis;
  private static TestLink link;
  private static SegmentStore segments;
  private static JournalStore journals;
  private static Advances advances;
  private static FilterStore filters;

  private final Marks marks = new Marks();
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  private Filter filter;
  private String state;
  private String bits;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    link = new TestLink(redis.options());
    segments = TestStores.over(link).segments();
    var stores = TestStores.over(link);
    journals = stores.journals();
    advances = stores.advances();
    filters = TestStores.over(link).filters();
  }

  @AfterAll
  static void stop() {
    link.close();
    redis.close();
  }

  @BeforeEach
  void create() {
    filter = ScriptBench.filter(1, 0, Optional.of(ScriptBench.LATE));
    assertTrue(filters.create(filter));
    state = TestStores.keys(filter, 0).get(0);
    bits = TestStores.keys(filter, 0).get(1);
  }

  @Test
  void whatOneJournalsTheOtherIsTold() {
    var one = follow();
    var other = follow();
    assertEquals(one.reached(), other.reached());
    add(one, 1, 2, 3);
    add(one, 4, 5, 6);
    assertEquals(0, redis.command("BITCOUNT", bits, "0", "15").toInteger());
    var told = advance(other);
    assertEquals(AdvanceReply.Outcome.OK, told.outcome());
    other.replay(told.blocks());
    assertEquals(one.reached(), other.reached());
    assertEquals(new SegmentCounts(6, 2), other.counts());
    assertEquals(0, advance(other).blocks().length);
    assertTrue(redis.command("PTTL", bits).toLong() > 0);
  }

  /** What comes in between is told before it is one's own turn. */
  @Test
  void whoAddsIsToldWhatCameBefore() {
    var one = follow();
    var other = follow();
    add(one, 1, 2, 3);
    var blocks = blocks(1, 2, 3);
    var told = advance(other, blocks);
    other.replay(told.blocks());
    assertEquals(Added.KNOWN, other.add(new int[] {1, 2, 3}, 0));
    other.journaled(blocks.length(), blocks.mark());
    assertEquals(0, advance(other).blocks().length);
  }

  @Test
  void anotherHistoryIsReadAgain() {
    var copy = follow();
    add(copy, 1, 2, 3);
    var at = copy.reached();
    for (var place :
        List.of(
            new JournalPlace(at.position(), marks.next()),
            new JournalPlace(at.position() + 1, at.mark()),
            new JournalPlace(at.position() - 1, at.mark()),
            new JournalPlace(0, at.mark()),
            new JournalPlace(at.position(), ""))) {
      var another = copyAt(place, copy);
      assertEquals(AdvanceReply.Outcome.REREAD, advance(another).outcome());
      assertEquals(AdvanceReply.Outcome.REREAD, advance(another, blocks(7, 8, 9)).outcome());
    }
    assertEquals(0, advance(copy).blocks().length);
    assertEquals(copy.counts(), follow().counts());
  }

  private SegmentCopy copyAt(JournalPlace place, SegmentCopy copy) {
    return new SegmentCopy(
        filter.shape(),
        0,
        copy.snapshot(),
        place.position(),
        place.position(),
        place.mark(),
        copy.counts());
  }

  /** One that knows no marks leaves the one that is there. */
  @Test
  void whatAnOlderVersionSetsIsNoticed() {
    var copy = follow();
    redis.command("SETBIT", bits, "0", "1");
    redis.command("HSET", state, "bitsSet", "1");
    assertEquals(AdvanceReply.Outcome.REREAD, advance(copy).outcome());
  }

  /** Without a mark of its own a change made bit by bit would be taken for the one before. */
  @Test
  void whatIsSetBitByBitOrAsBytesIsAnotherHistory() {
    var copy = follow();
    TestLink.await(segments.add(filter, new SegmentBatch(0, new int[1], new long[] {1, 2, 3})));
    assertEquals(AdvanceReply.Outcome.REREAD, advance(copy).outcome());
    var again = follow();
    TestLink.await(segments.union(filter, 0, 5, new byte[] {1}, 1));
    assertEquals(AdvanceReply.Outcome.REREAD, advance(again).outcome());
    var behind = follow();
    add(follow(), 10, 11, 12);
    TestLink.await(segments.union(filter, 0, 6, new byte[] {1}, 1));
    assertEquals(AdvanceReply.Outcome.REREAD, advance(behind).outcome());
    assertEquals(new SegmentCounts(8, 4), follow().counts());
  }

  @Test
  void bitByBitIsRefusedWhileOthersJournal() {
    var batch = new SegmentBatch(0, new int[1], new long[] {1, 2, 3});
    var copy = follow();
    add(copy, 4, 5, 6);
    assertThrows(JournaledException.class, () -> TestLink.await(segments.add(filter, batch)));
    assertThrows(JournaledException.class, () -> TestLink.await(segments.test(filter, batch)));
    TestLink.await(journals.replay(filter, 0, false));
    assertFalse(TestLink.await(segments.test(filter, batch)).maybe()[0]);
    assertThrows(JournaledException.class, () -> TestLink.await(segments.add(filter, batch)));
    TestLink.await(journals.replay(filter, 0, true));
    assertTrue(TestLink.await(segments.add(filter, batch)).added()[0]);
    assertEquals(BYTES, redis.command("STRLEN", bits).toInteger());
  }

  /** A script, a copy that follows and one that is read again come to the same. */
  @Test
  void replayedByAScriptItIsTheSame() {
    var copy = follow();
    var follower = follow();
    for (var i = 0; i < 100; i++) {
      add(copy, random.nextInt(128), random.nextInt(128), random.nextInt(128));
      if (random.nextInt(5) == 0) {
        TestLink.await(journals.replay(filter, 0, random.nextBoolean()));
      }
      if (random.nextInt(3) == 0) {
        follower = upToDate(follower);
        assertEquals(copy.counts(), follower.counts(), "seed " + seed);
      }
    }
    TestLink.await(journals.replay(filter, 0, true));
    assertEquals(copy.counts(), TestLink.await(segments.count(filter, 0)), "seed " + seed);
    var read = TestLink.await(segments.read(filter, 0, 0, BYTES));
    assertArrayEquals(copy.snapshot(), read.bytes(), "seed " + seed);
    assertEquals(copy.counts().bitsSet(), redis.command("BITCOUNT", bits).toLong());
    assertEquals(2, redis.command("KEYS", "*" + filter.name() + "*").size());
    assertTrue(redis.command("PTTL", bits).toLong() > 0);
  }

  private static SegmentCopy upToDate(Filter of, SegmentCopy copy) {
    var reply =
        TestLink.await(advances.advance(of, 0, copy, new byte[0], false, Durability.PRIMARY));
    if (reply.outcome() != AdvanceReply.Outcome.OK) {
      return TestLink.await(journals.follow(of, 0)).orElseThrow();
    }
    copy.replay(reply.blocks());
    return copy;
  }

  private SegmentCopy upToDate(SegmentCopy copy) {
    return upToDate(filter, copy);
  }

  @Test
  void aNewSnapshotKeepsTheTailAndALittleHistory() {
    var copy = follow();
    var behind = follow();
    for (var i = 0; i < 3; i++) {
      add(copy, i, i + 1, i + 2);
    }
    var atItsBegin = follow();
    for (var i = 3; i < 40; i++) {
      add(copy, i, i + 1, i + 2);
    }
    var at = copy.reached();
    var history = copy.history();
    assertEquals(history, atItsBegin.reached());
    var slow = follow();
    behind.replay(advance(behind).blocks());
    add(copy, 100, 101, 102);
    assertTrue(TestLink.await(journals.fold(filter, 0, slow, at, "", Durability.PRIMARY)).done());
    assertEquals(history.position(), redis.command("HGET", state, "base").toLong());
    for (var follower : List.of(behind, atItsBegin)) {
      var told = advance(follower);
      assertEquals(AdvanceReply.Outcome.OK, told.outcome());
      follower.replay(told.blocks());
      assertEquals(copy.counts(), follower.counts());
    }
    assertEquals(copy.counts(), follow().counts());
    // Somebody was faster, or slept for an hour.
    assertFalse(TestLink.await(journals.fold(filter, 0, slow, at, "", Durability.PRIMARY)).done());
    assertEquals(copy.counts(), follow().counts());
    assertTrue(redis.command("PTTL", bits).toLong() > 0);
  }

  /** Somebody else has dropped it meanwhile. */
  @Test
  void historyThatIsGoneIsNotAskedFor() {
    var copy = follow();
    for (var i = 0; i < 10; i++) {
      add(copy, i, i + 1, i + 2);
    }
    TestLink.await(journals.replay(filter, 0, true));
    add(copy, 100, 101, 102);
    assertTrue(copy.history().position() < redis.command("HGET", state, "base").toLong());
    var at = copy.reached();
    assertTrue(TestLink.await(journals.fold(filter, 0, copy, at, "", Durability.PRIMARY)).done());
    add(copy, 110, 111, 112);
    assertEquals(copy.counts(), follow().counts());
    assertEquals(copy.counts(), TestLink.await(segments.count(filter, 0)));
  }

  @Test
  void aSnapshotOfAnotherLengthIsRefused() {
    var copy = follow();
    add(copy, 1, 2, 3);
    var reached = copy.reached();
    for (var length : List.of(0, BYTES - 1, BYTES + 1)) {
      var reply =
          TestLink.await(
              link.scripts()
                  .run(
                      Script.FOLD,
                      TestStores.keys(filter, 0),
                      request ->
                          request
                              .arg(filter.generation().toString())
                              .arg(K)
                              .arg(reached.position())
                              .arg(reached.mark())
                              .arg(new byte[length])
                              .arg(0)
                              .arg(0)
                              .arg(reached.position())
                              .arg(reached.mark())
                              .arg("")));
      assertEquals("BEYOND", reply.status());
    }
    assertEquals(copy.counts(), follow().counts());
  }

  @Test
  void aSnapshotWithMoreIsTakenOnlyWhereNobodyAddedMeanwhile() {
    var copy = follow();
    add(copy, 1, 2, 3);
    var at = copy.reached();
    var other = follow();
    copy.add(new int[] {7, 8, 9}, 0);
    add(other, 4, 5, 6);
    var mark = marks.next();
    assertFalse(
        TestLink.await(journals.fold(filter, 0, copy, at, mark, Durability.PRIMARY)).done());
    assertEquals(new SegmentCounts(6, 2), follow().counts());
    var again = follow();
    var tip = again.reached();
    again.add(new int[] {7, 8, 9}, 0);
    assertTrue(
        TestLink.await(journals.fold(filter, 0, again, tip, mark, Durability.PRIMARY)).done());
    again.written(mark);
    assertEquals(AdvanceReply.Outcome.REREAD, advance(other).outcome());
    assertEquals(AdvanceReply.Outcome.OK, advance(again).outcome());
    assertEquals(new SegmentCounts(9, 3), follow().counts());
    assertEquals(new SegmentCounts(9, 3), TestLink.await(segments.count(filter, 0)));
  }

  @Test
  void aJournalThatIsTooLongIsNotMadeLonger() {
    var copy = follow();
    while (copy.kept() < copy.mostBytes()) {
      add(copy, 1, 2, 3);
    }
    var length = redis.command("STRLEN", bits).toLong();
    assertEquals(AdvanceReply.Outcome.LONG, advance(copy, blocks(4, 5, 6)).outcome());
    assertEquals(AdvanceReply.Outcome.OK, advance(copy).outcome());
    assertEquals(length, redis.command("STRLEN", bits).toLong());
    assertEquals(new SegmentCounts(3, 1), follow().counts());
  }

  @Test
  void whatIsReadIsTheSnapshotOnly() {
    add(follow(), 1, 2, 3);
    assertEquals(BYTES, read(0, 100).length);
    assertEquals(1, read(BYTES - 1, 100).length);
    assertEquals(0, read(BYTES, 1).length);
  }

  private byte[] read(long offset, int length) {
    return TestLink.await(segments.read(filter, 0, offset, length)).bytes();
  }

  /** As by an eviction, or by hand. */
  @ParameterizedTest
  @CsvSource({
    "HSET, tip, 5",
    "HDEL, tip, ",
    "HSET, base, 1",
    "HSET, folded, 1000",
    "HSET, base, x",
    "APPEND, more, ",
    "SETRANGE, 0, ",
    "DEL, , "
  })
  void aJournalThatIsNotWholeIsDamaged(String command, String field, String value) {
    var copy = follow();
    add(copy, 1, 2, 3);
    switch (command) {
      case "HSET" -> redis.command("HSET", state, field, value);
      case "HDEL" -> redis.command("HDEL", state, field);
      case "APPEND" -> redis.command("APPEND", bits, field);
      case "DEL" -> redis.command("DEL", bits);
      default -> redis.command("SET", bits, redis.command("GETRANGE", bits, "0", "20").toString());
    }
    assertDamaged(() -> advance(copy));
    assertDamaged(this::follow);
    assertDamaged(() -> TestLink.await(journals.replay(filter, 0, true)));
    assertDamaged(() -> TestLink.await(segments.read(filter, 0, 0, BYTES)));
    assertDamaged(() -> TestLink.await(segments.count(filter, 0)));
  }

  /** Two bytes of the number of entries, 9 of an entry, 16 of the mark. */
  @ParameterizedTest
  @CsvSource({"16, 0000", "16, ffff", "18, ffffff", "24, 000080"})
  void aJournalThatIsNoneIsDamaged(int offset, String hex) {
    add(follow(), 1, 2, 3);
    var bytes = HexFormat.of().parseHex(hex);
    for (var i = 0; i < 8 * bytes.length; i++) {
      var bit = bytes[i / 8] >>> (7 - i % 8) & 1;
      redis.command("SETBIT", bits, Integer.toString(8 * offset + i), Integer.toString(bit));
    }
    assertDamaged(this::follow);
    assertDamaged(() -> TestLink.await(journals.replay(filter, 0, true)));
    assertDamaged(() -> TestLink.await(segments.count(filter, 0)));
    assertDamaged(() -> TestLink.await(segments.union(filter, 0, 0, new byte[] {1}, 1)));
  }

  private static void assertDamaged(Runnable call) {
    var failure = assertThrows(BloomException.class, call::run);
    assertEquals(ErrorCode.FILTER_DAMAGED, failure.code());
  }

  @Test
  void aClearedFilterHasNoJournal() {
    add(follow(), 1, 2, 3);
    filters.clear(filter);
    assertEquals(BYTES, redis.command("STRLEN", bits).toInteger());
    filter = TestLink.await(filters.find(filter.name())).orElseThrow().filter();
    assertEquals(new SegmentCounts(0, 0), follow().counts());
  }

  /** As a service left it that knew neither marks nor journals. */
  @Test
  void whatHasNoMarkGetsOne() {
    TestLink.await(segments.add(filter, new SegmentBatch(0, new int[1], new long[] {1, 2, 3})));
    redis.command("HDEL", state, "mark");
    var copy = follow();
    assertEquals(new SegmentCounts(3, 1), copy.counts());
    assertEquals(AdvanceReply.Outcome.OK, advance(copy).outcome());
    assertEquals(copy.reached(), follow().reached());
  }

  private SegmentCopy follow() {
    return TestLink.await(journals.follow(filter, 0)).orElseThrow();
  }

  private void add(SegmentCopy copy, int... positions) {
    var blocks = blocks(positions);
    var reply = advance(copy, blocks);
    assertEquals(AdvanceReply.Outcome.OK, reply.outcome());
    copy.replay(reply.blocks());
    copy.add(positions, 0);
    copy.journaled(blocks.length(), blocks.mark());
  }

  private Blocks none() {
    return new Blocks(marks, K);
  }

  private Blocks blocks(int... positions) {
    var blocks = new Blocks(marks, K);
    blocks.add(positions, 0);
    blocks.bytes();
    return blocks;
  }

  private AdvanceReply advance(SegmentCopy copy) {
    return advance(copy, none());
  }

  private AdvanceReply advance(SegmentCopy copy, Blocks blocks) {
    return TestLink.await(
        advances.advance(filter, 0, copy, blocks.bytes(), true, Durability.PRIMARY));
  }
}
