package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.SegmentFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Promise 7: Redis moves few of the strings that outgrow their memory in the same call. */
class MovedBytesTest extends OneFilter {

  private static final SegmentFormat FORMAT_OF_2_MIB =
      new SegmentFormat(1 << 21, 2, new SegmentFormat.Fixed(0));

  private static final int SEGMENTS = 7;

  /** How all strings came to be without spare room. */
  private enum Room {
    /** Written whole. */
    FOLDED,
    /** Loaded from a file by Redis. */
    RESTARTED,
    /** Used up by equally long journals. */
    USED_UP
  }

  /** A segment that was written whole. */
  private Known folded(int index) {
    var known = appended(index, Known.NOTHING_YET, 100);
    assertEquals(FoldReply.DONE, fold(known.of(live, index, FORMAT_OF_2_MIB, 0)));
    return known;
  }

  private Known appended(int index, Known known, int bytes) {
    var block = block(bytes);
    var reply = advance(live, FORMAT_OF_2_MIB, append(index, known, block)).get(0);
    assertEquals(SegmentReply.SAME, reply);
    return known.with(block);
  }

  private Known withJournal(int index, Room room) {
    var known = folded(index);
    if (room == Room.FOLDED) {
      return known;
    }
    known = appended(index, known, 1_000);
    if (room == Room.USED_UP) {
      known = appended(index, known, 800_000);
      var key = live.segmentKey(index);
      known = appended(index, known, Math.toIntExact(redis.spareBytes(key)) - 500);
    }
    return known;
  }

  @ParameterizedTest
  @EnumSource
  void aCallMovesOneLongString(Room room) {
    var known = new Known[SEGMENTS];
    Arrays.setAll(known, index -> withJournal(index, room));
    if (room == Room.RESTARTED) {
      redis.command("DEBUG", "RELOAD");
    }
    var isMoved = isMoved(1_000);
    var waiting = new ArrayList<>(IntStream.range(0, SEGMENTS).boxed().toList());
    var calls = 0;
    for (; !waiting.isEmpty(); calls++) {
      var asked = List.copyOf(waiting);
      var before = sizes();
      var replies =
          advance(
              live,
              FORMAT_OF_2_MIB,
              asked.stream()
                  .map(index -> append(index, known[index], block(1_000)))
                  .toArray(SegmentGroup.Question[]::new));
      assertOneMoved(before, isMoved);
      for (var i = 0; i < asked.size(); i++) {
        if (replies.get(i).equals(SegmentReply.SAME)) {
          waiting.remove(asked.get(i));
        } else {
          assertEquals(
              0, assertInstanceOf(SegmentReply.Postponed.class, replies.get(i)).blocks().length);
        }
      }
      assertTrue(waiting.size() < asked.size(), "the call appended nothing");
    }
    assertEquals(isMoved ? SEGMENTS : 1, calls);
  }

  /** Whether Redis moves the strings, which are all alike, when they grow. */
  private boolean isMoved(int bytes) {
    return redis.spareBytes(live.segmentKey(0)) < bytes;
  }

  private record Size(long length, long memory) {}

  private List<Size> sizes() {
    return IntStream.range(0, SEGMENTS)
        .mapToObj(live::segmentKey)
        .map(
            key ->
                new Size(
                    redis.command("STRLEN", key).toLong(),
                    redis.command("MEMORY", "USAGE", key).toLong()))
        .toList();
  }

  private void assertOneMoved(List<Size> before, boolean isMoved) {
    var after = sizes();
    var moved =
        IntStream.range(0, SEGMENTS)
            .filter(i -> after.get(i).memory != before.get(i).memory)
            .count();
    assertEquals(isMoved ? 1 : 0, moved, "strings that were moved");
  }

  /** What other instances appended is answered in any case. */
  @Test
  void aPostponedAppendReturnsTheBlocksOfOthers() {
    var known = new Known[3];
    Arrays.setAll(known, index -> folded(index));
    var others = appended(2, known[2], 3);
    redis.command("DEBUG", "RELOAD");
    Assumptions.assumeTrue(isMoved(3), "the strings have spare room");
    var replies =
        advance(
            live,
            FORMAT_OF_2_MIB,
            append(0, known[0], block(3)),
            append(1, known[1], block(3)),
            append(2, known[2], block(3)));
    var blocks = assertInstanceOf(SegmentReply.Postponed.class, replies.get(2)).blocks();
    assertEquals(others.position() - known[2].position(), blocks.length);
  }

  @Test
  void aCallThatAddsBitByBitMovesOneLongString() {
    IntStream.range(0, SEGMENTS).forEach(this::folded);
    var isMoved = isMoved(1);
    var before = sizes();
    var some =
        IntStream.range(0, SEGMENTS)
            .<Bits>mapToObj(
                index ->
                    new SegmentBits(
                        live, index, FORMAT_OF_2_MIB, new byte[] {0, 0, 0, 0, 0, 2}, mark()))
            .toList();
    var replies = TestLink.await(segments.bits(some, Effect.WRITE));
    assertOneMoved(before, isMoved);
    var postponed = replies.stream().filter(reply -> reply instanceof BitsReply.Postponed).count();
    assertEquals(isMoved ? SEGMENTS - 1 : 0, postponed);
    assertInstanceOf(BitsReply.Verdicts.class, replies.get(0));
  }
}
