package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.StepLink;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.segment.SegmentField;
import io.smallrye.mutiny.Uni;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The effect of {@code fold} and {@code patch} on a segment, and of other content than its own. */
class FoldScriptTest extends OneFilter {

  /** A base for a header with other content, above all earlier positions. */
  private static final long ABOVE = 1L << 30;

  private Known known;

  @BeforeEach
  void append() {
    known = appended(live, 0, appended(live, 0, Known.NOTHING_YET));
  }

  private FoldReply fold(Known one, long folded) {
    return fold(one.of(live, 0, FORMAT, folded));
  }

  private FoldReply join(Known one, long base, byte[] mark, Optional<byte[]> laterMark) {
    var bytes = SegmentText.folded(FORMAT, base, mark);
    return TestLink.await(segments.fold(one.of(live, 0, FORMAT, 0), bytes, laterMark));
  }

  private SegmentText text() {
    return new SegmentText(bytes(live, 0), FORMAT);
  }

  private FoldReply patch(Known one, long folded, SegmentField... fields) {
    return TestLink.await(segments.patch(one.of(live, 0, FORMAT, folded), List.of(fields)));
  }

  /** The header field with the position up to which the bitmap contains the blocks. */
  private static SegmentField folded(long position) {
    return new SegmentField(8L * (16 + SegmentText.FOLDED), 64, position);
  }

  private static void assertNoFoldsAreLeft() {
    assertEquals(0, redis.command("KEYS", "*:fold:*").size());
  }

  @Test
  void aFoldKeepsTheLaterBlocks() {
    var tip = appended(live, 0, known);
    var later = text().journal();
    assertEquals(FoldReply.DONE, fold(known, 0));
    assertEquals(known.position(), text().number(SegmentText.BASE));
    assertEquals(known.position(), text().number(SegmentText.FOLDED));
    assertArrayEquals(
        Arrays.copyOfRange(later, (int) known.position(), later.length), text().journal());
    assertEquals(SegmentReply.SAME, advance(live, ask(0, tip)));
    blocks(advance(live, ask(0, known)));
    assertEquals(new SegmentReply.Reread(), advance(live, ask(0, new Known(19, mark()))));
    assertNoFoldsAreLeft();
  }

  @Test
  void aFoldKeepsTheExpiryOfTheState() {
    assertDone(expire(name, Optional.of(LATER)));
    assertEquals(FoldReply.DONE, fold(known, 0));
    assertExpiry(Optional.of(LATER), live.segmentKey(0));
    assertDone(expire(name, Optional.empty()));
    assertEquals(FoldReply.DONE, fold(known, known.position()));
    assertExpiry(Optional.empty(), live.segmentKey(0));
  }

  @Test
  void aFoldBringsTheBitmapOfABareSegment() {
    var first = block(3);
    advance(live, LARGE, append(1, Known.NOTHING_YET, first));
    var one = Known.NOTHING_YET.with(first);
    var second = block(3);
    advance(live, LARGE, append(1, one, second));
    assertFalse(new SegmentText(bytes(live, 1), LARGE).hasBitmap());
    var patch = segments.patch(one.of(live, 1, LARGE, 0), List.of(folded(1)));
    assertEquals(FoldReply.REREAD, TestLink.await(patch));
    assertEquals(FoldReply.DONE, fold(one.of(live, 1, LARGE, 0)));
    var text = new SegmentText(bytes(live, 1), LARGE);
    assertTrue(text.hasBitmap());
    assertEquals(one.with(second).position(), text.known().position());
    assertEquals(List.of(SegmentReply.SAME), advance(live, LARGE, ask(1, one.with(second))));
  }

  /** Both have written their strings. The later one would include the later blocks twice. */
  @Test
  void theSlowerOfTwoFoldsIsRefused() {
    var tip = appended(live, 0, known);
    assertEquals(
        FoldReply.REREAD, slowFold(known, key -> assertEquals(FoldReply.DONE, fold(tip, 0))));
    assertEquals(FoldReply.FOLDED, fold(tip, 0));
    assertEquals(0, text().journal().length);
    assertNoFoldsAreLeft();
  }

  /** The mark of the slower one is still valid, because a patch keeps the journal. */
  @Test
  void aSlowFoldDoesNotReplaceANewerBitmap() {
    var tip = appended(live, 0, known);
    assertEquals(FoldReply.DONE, patch(tip, 0, new SegmentField(3, 1, 1), folded(tip.position())));
    assertEquals(FoldReply.FOLDED, fold(known, 0));
    assertEquals(FoldReply.FOLDED, patch(known, 0, folded(known.position())));
    assertEquals(tip.position(), text().number(SegmentText.FOLDED));
  }

  private void assertNothingIsFolded() {
    assertEquals(FoldReply.CHANGED, fold(known, 0));
    assertEquals(FoldReply.CHANGED, patch(known, 0, folded(known.position())));
    assertNoFoldsAreLeft();
  }

  @Test
  void aFoldAfterADeletionLeavesNothing() {
    delete(live, written(0));
    var left = redis.command("PTTL", live.segmentKey(0)).toLong();
    assertNothingIsFolded();
    var now = redis.command("PTTL", live.segmentKey(0)).toLong();
    assertTrue(left > 0 && now > 0 && now <= left, now + " of " + left);
  }

  @Test
  void aFoldAfterAClearLeavesNothing() {
    var dropped = dropped(stores.clear(name, Written.NONE));
    filters.drop(Optional.of(name), dropped.orElseThrow(), 0);
    assertNothingIsFolded();
    assertTrue(redis.command("PTTL", live.segmentKey(0)).toLong() > 0);
  }

  @Test
  void aFoldAfterACommitLeavesNothing() {
    open(name);
    assertDone(stores.commit(name, found(name).state()));
    assertNothingIsFolded();
    assertTrue(redis.command("PTTL", live.segmentKey(0)).toLong() > 0);
    assertFalse(exists(live(name), 0));
  }

  @Test
  void aFoldAfterTheFilterExpiredLeavesNothing() {
    for (var key : List.of(live.stateKey(), live.segmentKey(0))) {
      redis.command("PEXPIREAT", key, "1");
      assertNothingIsFolded();
      assertFalse(exists(key));
    }
  }

  @Test
  void aStringThatExpiresBeforeItsCallIsRefused() {
    var before = bytes(live, 0);
    var reply = slowFold(known, key -> redis.command("PEXPIREAT", key, "1"));
    assertEquals(FoldReply.REREAD, reply);
    assertArrayEquals(before, bytes(live, 0));
    assertNoFoldsAreLeft();
  }

  @Test
  void aStringThatAnotherFoldWroteIsRefused() {
    var before = bytes(live, 0);
    var endMark = String.valueOf(FORMAT.bitmapBytes() + FORMAT.headerBytes() - 8);
    var reply = slowFold(known, key -> redis.command("SETRANGE", key, endMark, "its mark"));
    assertEquals(FoldReply.REREAD, reply);
    assertArrayEquals(before, bytes(live, 0));
    assertNoFoldsAreLeft();
  }

  /** A fold with an event between writing its string and its call. */
  private FoldReply slowFold(Known one, Consumer<String> meanwhile) {
    try (var slow = TestLink.stepwise(redis.options())) {
      var steps = (StepLink) slow.link();
      steps.hold();
      var bytes = SegmentText.folded(FORMAT, one.position(), one.mark());
      var reply =
          new SegmentStore(slow.scripts(), steps)
              .fold(one.of(live, 0, FORMAT, 0), bytes, Optional.empty())
              .subscribeAsCompletionStage();
      steps.execute();
      meanwhile.accept(redis.command("KEYS", "*:fold:*").get(0).toString());
      steps.answer();
      steps.release();
      return TestLink.await(Uni.createFrom().completionStage(reply));
    }
  }

  @Test
  void aStringThatDoesNotMatchTheCallIsRefused() {
    var at = known.position();
    var whole = SegmentText.folded(FORMAT, at, known.mark());
    for (var bytes :
        List.of(
            SegmentText.folded(FORMAT, at - 1, known.mark()),
            SegmentText.made(FORMAT, at, at + 1, known.mark()),
            Arrays.copyOfRange(whole, 1, whole.length),
            Arrays.copyOfRange(new byte[whole.length + 1], 0, whole.length))) {
      assertEquals(FoldReply.REREAD, fold(known.of(live, 0, FORMAT, 0), bytes));
    }
    assertEquals(0, text().number(SegmentText.FOLDED));
    assertNoFoldsAreLeft();
  }

  /** A follower at the tip knows the mark of the last block, but not the content. */
  @Test
  void aFoldWithoutOtherContentCreatesNoSegment() {
    assertEquals(FoldReply.REREAD, fold(unwritten(live, 5)));
    assertFalse(exists(live, 5));
    assertNoFoldsAreLeft();
  }

  @Test
  void aPatchWritesFieldsAndKeepsTheJournal() {
    var tip = appended(live, 0, known);
    var journal = text().journal();
    assertEquals(
        FoldReply.DONE,
        patch(
            known,
            0,
            new SegmentField(9, 1, 1),
            new SegmentField(4, 4, 15),
            folded(known.position()),
            new SegmentField(8L * (16 + SegmentText.BITS_SET), 64, 5)));
    assertEquals(0x0f, text().bytes()[0]);
    assertEquals(0x40, text().bytes()[1]);
    assertEquals(known.position(), text().number(SegmentText.FOLDED));
    assertEquals(0, text().number(SegmentText.BASE));
    assertEquals(5, text().number(SegmentText.BITS_SET));
    assertArrayEquals(journal, text().journal());
    assertEquals(SegmentReply.SAME, advance(live, ask(0, tip)));
    blocks(advance(live, ask(0, Known.NOTHING_YET)));
  }

  @Test
  void aPatchOfAnotherHistoryIsRefused() {
    var other = new Known(known.position(), mark());
    assertEquals(FoldReply.REREAD, patch(other, 0, folded(known.position())));
    assertEquals(FoldReply.REREAD, fold(other, 0));
    assertEquals(0, text().number(SegmentText.FOLDED));
  }

  @Test
  void aPatchMayHaveTheMostFields() {
    var fields = new SegmentField[SegmentCopy.MOST_FIELDS];
    Arrays.fill(fields, new SegmentField(7, 1, 1));
    fields[1] = folded(known.position());
    assertEquals(FoldReply.DONE, patch(known, 0, fields));
    assertEquals(1, text().bytes()[0]);
  }

  @Test
  void otherContentIsReadByEachFollower() {
    var fresh = mark();
    assertEquals(FoldReply.DONE, join(known, ABOVE, fresh, Optional.empty()));
    assertArrayEquals(fresh, text().tail());
    for (var one : List.of(known, Known.NOTHING_YET)) {
      assertEquals(new SegmentReply.Reread(), advance(live, ask(0, one)));
      assertEquals(new SegmentReply.Reread(), advance(live, append(0, one, block(3))));
    }
    appended(live, 0, text().known());
  }

  @Test
  void otherContentBelowTheTipIsReadByAFollowerAtTheTip() {
    var tip = appended(live, 0, known);
    var later = Arrays.copyOfRange(text().journal(), (int) known.position(), (int) tip.position());
    var fresh = mark();
    assertEquals(FoldReply.DONE, join(known, ABOVE, mark(), Optional.of(fresh)));
    for (var one : List.of(tip, known, Known.NOTHING_YET)) {
      assertEquals(new SegmentReply.Reread(), advance(live, ask(0, one)));
    }
    var journal = text().journal();
    assertArrayEquals(later, Arrays.copyOf(journal, later.length), "the later blocks stay");
    assertEquals(later.length + 16, journal.length, "and an empty block ends them");
    assertEquals(0, journal[later.length] + journal[later.length + 1]);
    assertArrayEquals(
        Arrays.copyOfRange(later, later.length - 14, later.length - 8),
        Arrays.copyOfRange(journal, later.length + 2, later.length + 8),
        "at the time of the last one");
    assertArrayEquals(fresh, text().tail());
    assertEquals(ABOVE, text().number(SegmentText.BASE));
    appended(live, 0, text().known());
  }

  @Test
  void otherContentOfARejectingSegmentIsWrittenOnlyAtTheTip() {
    appended(live, 0, known);
    var before = bytes(live, 0);
    assertEquals(FoldReply.REREAD, join(known, ABOVE, mark(), Optional.empty()));
    assertArrayEquals(before, bytes(live, 0));
    assertNoFoldsAreLeft();
  }

  @Test
  void otherContentBeginsAboveAllPositions() {
    var tip = appended(live, 0, known);
    for (var base : List.of(0L, known.position(), tip.position())) {
      assertEquals(FoldReply.REREAD, join(known, base, mark(), Optional.of(mark())));
    }
    assertEquals(FoldReply.DONE, join(known, tip.position() + 1, mark(), Optional.of(mark())));
  }

  @Test
  void otherContentCreatesAMissingSegment() {
    expire(name, Optional.of(LATER));
    var fresh = mark();
    var bytes = SegmentText.folded(FORMAT, ABOVE, fresh);
    assertEquals(FoldReply.DONE, fold(unwritten(live, 5), bytes));
    assertEquals(written(0, 5), found(name).state().written());
    assertExpiry(Optional.of(LATER), live.segmentKey(5));
    assertEquals(new SegmentReply.Reread(), advance(live, append(5, Known.NOTHING_YET, block(3))));
    var joined = new KnownSegment(live, 5, FORMAT, ABOVE, fresh, 0);
    assertEquals(FoldReply.FOLDED, fold(joined, SegmentText.folded(FORMAT, 2 * ABOVE, mark())));
  }
}
