package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.github.bloomgate.segment.SegmentFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Large segments, which get their bitmap with the first fold. */
class BareSegmentTest extends OneFilter {

  /** New segments have no bitmap. */
  private static final SegmentFormat LARGE =
      new SegmentFormat(1 << 17, 2, new SegmentFormat.Fixed(0));

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
