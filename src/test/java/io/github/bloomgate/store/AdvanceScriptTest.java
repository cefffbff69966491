package io.github.bloomgate.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.SegmentFormat;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The effect of {@code advance} on segments. Large ones get their bitmap with the first fold. */
class AdvanceScriptTest extends OneFilter {

  @Test
  void theFirstBlockCreatesTheSegment() {
    var block = block(3);
    var group = group(live, append(9, Known.NOTHING_YET, block));
    var reply = TestLink.await(segments.advance(List.of(group)));
    assertEquals(Optional.of(List.of(SegmentReply.SAME)), reply.groups().get(0));
    var stored = ByteBuffer.allocate(16 + 56 + stored(block));
    stored.position(16).put("BLOOMSG\u0001".getBytes(US_ASCII)).position(16 + 56).put(block, 8, 5);
    stored.putShort((short) (reply.millis() >> 32)).putInt((int) reply.millis());
    assertArrayEquals(stored.put(block, 0, 8).array(), bytes(live, 9));
    assertEquals(written(9), found(name).state().written());
    assertEquals(-1, redis.command("PTTL", live.segmentKey(9)).toLong());
  }

  @Test
  void aNewSegmentHasTheExpiryOfItsState() {
    expire(name, Optional.of(LATER));
    appended(live, 0, Known.NOTHING_YET);
    assertExpiry(Optional.of(LATER), live.segmentKey(0));
  }

  @Test
  void anUnwrittenSegmentIsEmpty() {
    assertEquals(SegmentReply.SAME, advance(live, ask(3, Known.NOTHING_YET)));
    assertFalse(exists(live, 3));
    assertEquals(Written.NONE, found(name).state().written());
  }

  @Test
  void theOtherInstancesBlocksComeFirst() {
    var first = block(3);
    var second = block(6);
    var third = block(9);
    assertEquals(SegmentReply.SAME, advance(live, append(0, Known.NOTHING_YET, first)));
    var one = Known.NOTHING_YET.with(first);
    assertEquals(SegmentReply.SAME, advance(live, ask(0, one)));
    assertEquals(SegmentReply.SAME, advance(live, append(0, one, second)));
    var followed = blocks(advance(live, append(0, one, third)));
    assertEquals(stored(second), followed.length);
    assertArrayEquals(Arrays.copyOf(second, 8), tail(followed));
    assertEquals(SegmentReply.SAME, advance(live, ask(0, one.with(second).with(third))));
  }

  /** Neither instance has seen the segment, and neither has to read it. */
  @Test
  void twoInstancesCreateASegmentAtOnce() {
    var first = block(3);
    advance(live, append(0, Known.NOTHING_YET, first));
    var second = block(3);
    var reply = advance(live, append(0, Known.NOTHING_YET, second));
    assertEquals(stored(first), blocks(reply).length);
    assertEquals(
        SegmentReply.SAME, advance(live, ask(0, Known.NOTHING_YET.with(first).with(second))));
  }

  @Test
  void aFirstBlockSentAgainIsAppendedOnce() {
    var block = block(3);
    advance(live, append(0, Known.NOTHING_YET, block));
    assertInstanceOf(
        SegmentReply.Repeated.class, advance(live, append(0, Known.NOTHING_YET, block)));
    assertEquals(stored(block), new SegmentText(bytes(live, 0), FORMAT).journal().length);
  }

  /** The command was in progress when its connection broke, and runs after its repetition. */
  @Test
  void aRemovalThatRunsLateIsNotDoneTwice() {
    var known = appended(live, 0, Known.NOTHING_YET);
    var removal = block(3);
    removal[8] |= 0x40;
    advance(live, append(0, known, removal));
    appended(live, 0, known.with(removal));
    var length = bytes(live, 0).length;
    assertInstanceOf(SegmentReply.Repeated.class, advance(live, append(0, known, removal)));
    assertEquals(length, bytes(live, 0).length);
  }

  /** The outcome is then unknown, and the change must not be made twice. */
  @Test
  void aBlockDroppedByAFoldIsNotSentAgain() {
    var known = appended(live, 0, Known.NOTHING_YET);
    var block = block(3);
    advance(live, append(0, known, block));
    var after = known.with(block);
    fold(after);
    assertEquals(new SegmentReply.Reread(), advance(live, append(0, known, block)));
    assertEquals(16 + 56, bytes(live, 0).length);
  }

  private void fold(Known known) {
    var folded = new SegmentText(bytes(live, 0), FORMAT).number(SegmentText.FOLDED);
    assertEquals(FoldReply.DONE, fold(known.of(live, 0, FORMAT, folded)));
  }

  @Test
  void aFollowerAtTheTipDoesNotNoticeAFold() {
    var known = appended(live, 0, Known.NOTHING_YET);
    fold(known);
    assertEquals(SegmentReply.SAME, advance(live, ask(0, known)));
    known = appended(live, 0, known);
    assertEquals(new SegmentText(bytes(live, 0), FORMAT).known().position(), known.position());
  }

  @Test
  void aJournalAtTheLimitTakesNoMore() {
    var block = block(FORMAT.journalLimit() - 16);
    advance(live, append(0, Known.NOTHING_YET, block));
    var known = Known.NOTHING_YET.with(block);
    assertEquals(FORMAT.journalLimit(), known.position());
    var atTip =
        assertInstanceOf(SegmentReply.TooLong.class, advance(live, append(0, known, block(3))));
    assertEquals(0, atTip.blocks().length);
    var behind = advance(live, append(0, Known.NOTHING_YET, block(3)));
    var full = assertInstanceOf(SegmentReply.TooLong.class, behind);
    assertEquals(FORMAT.journalLimit(), full.blocks().length);
    assertEquals(SegmentReply.SAME, advance(live, ask(0, known)));
    fold(known);
    appended(live, 0, known);
  }

  @Test
  void anotherHistoryIsReadAgain() {
    var known = appended(live, 0, Known.NOTHING_YET);
    var other = new Known(known.position(), mark());
    for (var one :
        List.of(
            other,
            new Known(known.position() + 1, mark()),
            new Known(known.position() + 1, known.mark()),
            new Known(0, mark()),
            new Known(1L << 50, mark()))) {
      // Only the mark at the tip proves what the caller knows.
      var isTip = Arrays.equals(one.mark(), known.mark());
      var expected = isTip ? SegmentReply.SAME : new SegmentReply.Reread();
      assertEquals(expected, advance(live, ask(0, one)));
      if (!isTip) {
        assertEquals(expected, advance(live, append(0, one, block(3))));
      }
    }
    assertEquals(known.position(), new SegmentText(bytes(live, 0), FORMAT).known().position());
  }

  @Test
  void aSegmentLostInAFailoverIsReadAgain() {
    var known = appended(live, 0, Known.NOTHING_YET);
    redis.command("DEL", live.segmentKey(0));
    redis.command("HSET", live.stateKey(), "written", "");
    assertEquals(new SegmentReply.Reread(), advance(live, ask(0, known)));
    assertEquals(new SegmentReply.Reread(), advance(live, append(0, known, block(3))));
    assertFalse(exists(live, 0));
  }

  @Test
  void eachGroupHasItsOwnReply() {
    var other = name();
    created(other);
    var gone = new StoredGeneration(name(), false, random(), live.content());
    var changed = new StoredGeneration(other, false, random(), live(other).content());
    var block = block(3);
    var replies =
        groups(
            group(gone, append(0, Known.NOTHING_YET, block)),
            group(changed, append(0, Known.NOTHING_YET, block), ask(1, Known.NOTHING_YET)),
            group(live, append(0, Known.NOTHING_YET, block), ask(1, Known.NOTHING_YET)),
            group(live(other), ask(0, Known.NOTHING_YET)));
    assertEquals(
        List.of(
            Optional.empty(),
            Optional.empty(),
            Optional.of(List.of(SegmentReply.SAME, SegmentReply.SAME)),
            Optional.of(List.of(SegmentReply.SAME))),
        replies);
    assertFalse(exists(changed, 0));
    assertTrue(exists(live, 0));
  }

  /** Answered segments were changed, and unanswered ones were not. */
  @Test
  void aLongReplyIsTruncated() {
    var large = new SegmentFormat(1 << 21, 2, new SegmentFormat.Fixed(0));
    var block = block(600_000);
    for (var segment = 0; segment < 3; segment++) {
      advance(live, large, append(segment, Known.NOTHING_YET, block));
    }
    var known = Known.NOTHING_YET.with(block);
    var replies =
        advance(
            live,
            large,
            append(0, Known.NOTHING_YET, block(3)),
            append(1, Known.NOTHING_YET, block(3)),
            ask(2, known),
            append(2, known, block(3)));
    blocks(replies.get(0));
    assertEquals(new SegmentReply.NotReached(), replies.get(1));
    assertEquals(SegmentReply.SAME, replies.get(2));
    assertEquals(new SegmentReply.NotReached(), replies.get(3));
    assertEquals(List.of(SegmentReply.SAME), advance(live, large, ask(1, known)));
    assertEquals(List.of(SegmentReply.SAME), advance(live, large, ask(2, known)));
  }

  private static byte[] tail(byte[] bytes) {
    return Arrays.copyOfRange(bytes, bytes.length - 8, bytes.length);
  }

  @Test
  void aNewLargeSegmentHasNoBitmap() {
    var block = block(3);
    var again = block(3);
    assertEquals(
        List.of(SegmentReply.SAME), advance(live, LARGE, append(0, Known.NOTHING_YET, block)));
    assertEquals(56 + stored(block), bytes(live, 0).length);
    advance(live, LARGE, append(0, Known.NOTHING_YET.with(block), again));
    assertEquals(56 + 2 * stored(block), bytes(live, 0).length);
    var reported = advance(live, LARGE, ask(0, Known.NOTHING_YET)).get(0);
    assertEquals(2 * stored(block), blocks(reported).length);
  }

  /** A longer segment would look like one with a bitmap. */
  @Test
  void aBareSegmentStaysShorterThanHalfABitmap() {
    var half = (1 << 16) - 56 - 6;
    var block = block(half - 10 - 100);
    advance(live, LARGE, append(0, Known.NOTHING_YET, block));
    var known = Known.NOTHING_YET.with(block);
    var reply = advance(live, LARGE, append(0, known, block(100))).get(0);
    assertEquals(0, assertInstanceOf(SegmentReply.TooLong.class, reply).blocks().length);
    var fits = block(100 - 10 - 6);
    assertEquals(List.of(SegmentReply.SAME), advance(live, LARGE, append(0, known, fits)));
    assertEquals(1 << 16, bytes(live, 0).length);
  }

  @Test
  void aFirstBlockLargerThanHalfABitmapBringsTheBitmap() {
    var block = block(1 << 16);
    advance(live, LARGE, append(0, Known.NOTHING_YET, block));
    assertEquals((1 << 17) + 56 + stored(block), bytes(live, 0).length);
    assertEquals(
        List.of(SegmentReply.SAME), advance(live, LARGE, ask(0, Known.NOTHING_YET.with(block))));
  }
}
