package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.journal.Added;
import io.github.bloomgate.journal.JournalPlace;
import io.github.bloomgate.journal.SegmentCopy;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.redis.TestLink;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The scripts that follow and write the journal of a segment. */
class JournalScriptsTest extends JournalScriptCalls {

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  @Test
  void whatOneJournalsTheOtherIsTold() {
    var one = follow();
    var other = follow();
    assertEquals(one.reached(), other.reached());
    add(one, 1, 2, 3);
    add(one, 4, 5, 6);
    assertEquals(0, redis.command("BITCOUNT", bits, "0", "15").toInteger());
    var told = advance(other);
    assertDone(told);
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
    assertEquals(Added.KNOWN, other.content().add(new int[] {1, 2, 3}, 0));
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
    TestLink.await(
        stores
            .elements()
            .add(
                filter, new SegmentBatch(0, new int[1], new long[] {1, 2, 3}), Durability.PRIMARY));
    assertEquals(AdvanceReply.Outcome.REREAD, advance(copy).outcome());
    var again = follow();
    TestLink.await(segments.union(filter, 0, 5, new byte[] {1}, 1));
    assertEquals(AdvanceReply.Outcome.REREAD, advance(again).outcome());
    var behind = follow();
    add(follow(), 10, 11, 12);
    TestLink.await(segments.union(filter, 0, 6, new byte[] {1}, 1));
    assertEquals(AdvanceReply.Outcome.REREAD, advance(behind).outcome());
    assertEquals(new SegmentCounts(8, 4), follow().counts());
    // Whoever knew of fewer insertions would take what a full segment refuses.
    var withFewer = follow();
    TestLink.await(segments.union(filter, 0, 6, new byte[] {1}, 1));
    assertEquals(AdvanceReply.Outcome.REREAD, advance(withFewer).outcome());
    assertEquals(new SegmentCounts(8, 5), follow().counts());
  }

  @Test
  void bitByBitIsRefusedWhileOthersJournal() {
    var batch = new SegmentBatch(0, new int[1], new long[] {1, 2, 3});
    var copy = follow();
    add(copy, 4, 5, 6);
    assertThrows(
        JournaledException.class,
        () -> TestLink.await(stores.elements().add(filter, batch, Durability.PRIMARY)));
    assertThrows(
        JournaledException.class, () -> TestLink.await(stores.elements().test(filter, batch)));
    TestLink.await(journals.replay(filter, 0, false));
    assertFalse(TestLink.await(stores.elements().test(filter, batch)).flags()[0]);
    assertThrows(
        JournaledException.class,
        () -> TestLink.await(stores.elements().add(filter, batch, Durability.PRIMARY)));
    TestLink.await(journals.replay(filter, 0, true));
    assertTrue(TestLink.await(stores.elements().add(filter, batch, Durability.PRIMARY)).flags()[0]);
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
    if (!isDone(reply)) {
      return TestLink.await(journals.follow(of, 0)).orElseThrow();
    }
    copy.replay(reply.blocks());
    return copy;
  }

  private SegmentCopy upToDate(SegmentCopy copy) {
    return upToDate(filter, copy);
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
    TestLink.await(
        stores
            .elements()
            .add(
                filter, new SegmentBatch(0, new int[1], new long[] {1, 2, 3}), Durability.PRIMARY));
    redis.command("HDEL", state, "mark");
    var copy = follow();
    assertEquals(new SegmentCounts(3, 1), copy.counts());
    assertDone(advance(copy));
    assertEquals(copy.reached(), follow().reached());
  }
}
