package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.SegmentField;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;

/** Calls of {@code fold} on a segment of two blocks. */
abstract class FoldCalls extends OneFilter {

  /** A base for a header with other content, above all earlier positions. */
  static final long ABOVE = 1L << 30;

  Known known;

  @BeforeEach
  void append() {
    known = appended(live, 0, appended(live, 0, Known.NOTHING_YET));
  }

  FoldReply fold(Known one, long folded) {
    return fold(one.of(live, 0, FORMAT, folded));
  }

  FoldReply join(Known one, long base, byte[] mark, Optional<byte[]> laterMark) {
    var bytes = SegmentText.folded(FORMAT, base, mark);
    return TestLink.await(segments.fold(one.of(live, 0, FORMAT, 0), bytes, laterMark));
  }

  SegmentText text() {
    return new SegmentText(bytes(live, 0), FORMAT);
  }

  FoldReply patch(Known one, long folded, SegmentField... fields) {
    return TestLink.await(segments.patch(one.of(live, 0, FORMAT, folded), List.of(fields)));
  }

  /** The header field with the position up to which the bitmap contains the blocks. */
  static SegmentField folded(long position) {
    return new SegmentField(8L * (16 + SegmentText.FOLDED), 64, position);
  }

  static void assertNoFoldsAreLeft() {
    assertEquals(0, redis.command("KEYS", "*:fold:*").size());
  }
}
