package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The effect of {@code fold} with a string of other content than the segment. */
class SlotJoinTest extends FoldCalls {

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
    assertDeadline(Optional.of(LATER), live.segmentKey(5));
    assertEquals(new SegmentReply.Reread(), advance(live, append(5, Known.NOTHING_YET, block(3))));
    var joined = new KnownSegment(live, 5, FORMAT, ABOVE, fresh, 0);
    assertEquals(FoldReply.FOLDED, fold(joined, SegmentText.folded(FORMAT, 2 * ABOVE, mark())));
  }
}
