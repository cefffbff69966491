package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.SegmentField;
import io.github.bloomgate.segment.SegmentFormat;
import io.github.bloomgate.segment.Verdict;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code bits} on a segment whose bitmap contains its whole journal. */
class BitsScriptTest extends OneFilter {

  /** A segment with an empty bitmap and no journal. */
  private void fold() {
    var known = appended(live, 0, Known.NOTHING_YET);
    var bytes = SegmentText.folded(FORMAT, known.position(), known.mark());
    Arrays.fill(bytes, 0, FORMAT.bitmapBytes(), (byte) 0);
    ByteBuffer.wrap(bytes).putLong(FORMAT.bitmapBytes() + SegmentText.BITS_SET, 0);
    assertEquals(FoldReply.DONE, fold(known.of(live, 0, FORMAT, 0), bytes));
  }

  private SegmentBits elements(int... offsets) {
    var entries = new byte[3 * offsets.length];
    for (var i = 0; i < offsets.length; i++) {
      entries[3 * i + 2] = (byte) offsets[i];
    }
    return new SegmentBits(live, 0, FORMAT, entries, mark());
  }

  private BitsReply add(int... offsets) {
    return TestStores.add(segments, elements(offsets));
  }

  private static List<Verdict> answers(BitsReply reply) {
    return assertInstanceOf(BitsReply.Verdicts.class, reply).verdicts();
  }

  private List<Verdict> test(int... offsets) {
    return answers(TestStores.test(segments, elements(offsets)));
  }

  private static long millis() {
    var time = redis.command("TIME");
    return 1_000 * time.get(0).toLong() + time.get(1).toLong() / 1_000;
  }

  private SegmentText text() {
    return new SegmentText(bytes(live, 0), FORMAT);
  }

  @Test
  void elementsAreAddedInOrderAndCounted() {
    fold();
    assertEquals(
        List.of(Verdict.CHANGED, Verdict.CHANGED, Verdict.KNOWN, Verdict.CHANGED),
        answers(add(1, 2, 2, 3, 1, 3, 127, 127)));
    assertEquals(List.of(Verdict.KNOWN, Verdict.ABSENT, Verdict.ABSENT), test(1, 127, 3, 4, 5, 6));
    assertEquals(4, redis.command("BITCOUNT", live.segmentKey(0), "0", "15").toInteger());
    // The bitmap was folded with one insertion and no bits.
    assertEquals(4, text().number(SegmentText.BITS_SET));
    assertEquals(3, text().number(SegmentText.INSERTIONS));
    assertEquals(text().known().position(), text().number(SegmentText.FOLDED));
  }

  /** Copies of other instances can follow it in the same way as blocks of {@code advance}. */
  @Test
  void addedElementsAreInTheJournalToo() {
    fold();
    var known = text().known();
    var added = elements(1, 2, 2, 1, 9, 8);
    var before = millis();
    TestStores.add(segments, added);
    var after = millis();
    var blocks = blocks(advance(live, ask(0, known)));
    var millis = ByteBuffer.wrap(blocks).getLong(2 + 2 * 6 - 2) & 0xffff_ffff_ffffL;
    assertTrue(before <= millis && millis <= after, before + " " + millis + " " + after);
    var expected = ByteBuffer.allocate(2 + 2 * 6 + 6 + 8).putShort((short) 2);
    expected.put(added.entries(), 0, 6).put(added.entries(), 12, 6);
    expected.putShort((short) (millis >> 32)).putInt((int) millis).put(added.mark());
    assertArrayEquals(expected.array(), blocks);
  }

  @Test
  void knownElementsWriteNothing() {
    fold();
    add(1, 2);
    var before = bytes(live, 0);
    assertEquals(List.of(Verdict.KNOWN, Verdict.KNOWN), answers(add(2, 1, 1, 1)));
    assertArrayEquals(before, bytes(live, 0));
  }

  @Test
  void atTheLimitNewElementsAreRefused() {
    fold();
    var most = new SegmentFormat(16, 2, new SegmentFormat.Fixed(1));
    var some = new SegmentBits(live, 0, most, elements(1, 2, 3, 4, 2, 1).entries(), mark());
    assertEquals(
        List.of(Verdict.CHANGED, Verdict.REFUSED, Verdict.KNOWN),
        answers(TestStores.add(segments, some)));
    var before = bytes(live, 0);
    some = new SegmentBits(live, 0, most, elements(1, 4, 1, 2).entries(), mark());
    assertEquals(List.of(Verdict.REFUSED, Verdict.KNOWN), answers(TestStores.add(segments, some)));
    assertArrayEquals(before, bytes(live, 0));
  }

  @Test
  void aSegmentWithUnfoldedBlocksIsUsedByItsCopies() {
    var known = appended(live, 0, Known.NOTHING_YET);
    var journaled = new BitsReply.NotDone();
    assertEquals(journaled, TestStores.test(segments, elements(1, 2)));
    assertEquals(journaled, add(1, 2));
    assertEquals(known.position(), text().known().position());
  }

  @Test
  void aBareSegmentIsUsedByItsCopies() {
    advance(live, LARGE, append(0, Known.NOTHING_YET, block(3)));
    var bits = new SegmentBits(live, 0, LARGE, new byte[6], mark());
    assertEquals(new BitsReply.NotDone(), TestStores.test(segments, bits));
  }

  @Test
  void anUnwrittenSegmentIsEmpty() {
    assertEquals(List.of(Verdict.ABSENT), test(1, 2));
    assertEquals(new BitsReply.NotDone(), add(1, 2));
  }

  @Test
  void aJournalAtTheLimitTakesNoMore() {
    fold();
    add(1, 2);
    var before = text().known();
    advance(live, append(0, before, block(FORMAT.journalLimit())));
    var tip = text().known();
    var patch = List.of(new SegmentField(8L * (16 + SegmentText.FOLDED), 64, tip.position()));
    var known = tip.of(live, 0, FORMAT, before.position());
    assertEquals(FoldReply.DONE, TestLink.await(segments.patch(known, patch)));
    assertEquals(new BitsReply.NotDone(), add(3, 4));
    assertEquals(List.of(Verdict.KNOWN), test(1, 2));
  }

  @Test
  void anotherVersionIsReported() {
    fold();
    var other = new StoredGeneration(name, false, random(), live.content());
    var bits = new SegmentBits(other, 0, FORMAT, new byte[6], mark());
    assertEquals(new BitsReply.Outdated(), TestStores.test(segments, bits));
    delete(live, written(0));
    assertEquals(new BitsReply.Outdated(), add(1, 2));
  }
}
