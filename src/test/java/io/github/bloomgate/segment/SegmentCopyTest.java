package io.github.bloomgate.segment;

import static io.github.bloomgate.segment.SegmentHistory.stateOf;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.BitCount;
import io.github.bloomgate.segment.SegmentHistory.Kind;
import io.github.bloomgate.support.Seeded;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies that replay the same segment are equal, whatever route they took. */
class SegmentCopyTest extends Seeded {

  private static final int BLOCKS = 150;

  @ParameterizedTest
  @EnumSource
  void copiesAgreeWhereverTheirCallsCutTheJournal(Kind kind) {
    var format = kind.format();
    var history = new SegmentHistory(kind, random);
    var stored = new StoredSegment(format, false);
    var often = SegmentCopy.empty(format);
    var seldom = SegmentCopy.empty(format);
    for (var i = 0; i < BLOCKS; i++) {
      stored.append(history.block(), history.tick());
      often.apply(stored.behind(often.position()));
      assertEquals(BitCount.of(often.fold(), 0, format.bitmapBytes()), often.content().bitsSet());
      if (random.nextInt(7) == 0) {
        seldom.apply(stored.behind(seldom.position()));
        assertEquals(stateOf(often), stateOf(seldom));
      }
      if (random.nextInt(10) == 0) {
        assertEquals(stateOf(often), stateOf(SegmentCopy.read(format, stored.bytes())));
      }
    }
  }

  /** The entries of a block are read a few hundred at a time. */
  @ParameterizedTest
  @EnumSource
  void aLongBlockHasTheContentOfShortOnes(Kind kind) {
    var format = kind.format();
    var history = new SegmentHistory(kind, random);
    var inOne = new BlockWriter(SegmentHistory.K, Block.MOST_ENTRIES);
    var oneByOne = SegmentCopy.empty(format);
    var stored = new StoredSegment(format, false);
    for (var i = 0; i < 2 * SegmentContent.FETCHED + 1; i++) {
      var element = history.element();
      inOne.append(false, element, 0);
      var alone = new BlockWriter(SegmentHistory.K, Block.MOST_ENTRIES);
      alone.append(false, element, 0);
      stored.append(alone.bytes(), 1_000);
      oneByOne.apply(stored.behind(oneByOne.position()));
    }
    var whole = new StoredSegment(format, false);
    whole.append(inOne.bytes(), 1_000);
    var atOnce = SegmentCopy.empty(format);
    atOnce.apply(whole.behind(atOnce.position()));
    assertArrayEquals(oneByOne.bitmap(), atOnce.bitmap());
    assertEquals(oneByOne.content().insertions(), atOnce.content().insertions());
    assertArrayEquals(oneByOne.content().kindHeader(), atOnce.content().kindHeader());
  }

  @ParameterizedTest
  @EnumSource
  void withoutItsBitmapASegmentHasTheSameContent(Kind kind) {
    var format = kind.format();
    var history = new SegmentHistory(kind, random);
    var bare = new StoredSegment(format, true);
    var whole = new StoredSegment(format, false);
    for (var i = 0; i < 8; i++) {
      var block = history.block();
      var stamp = history.tick();
      // When the journal reaches half the length of its bitmap, Redis requires a fold.
      if (bare.bytes().length + block.length < format.bitmapBytes() / 2) {
        bare.append(block, stamp);
        whole.append(block, stamp);
      }
    }
    var read = SegmentCopy.read(format, bare.bytes());
    assertEquals(stateOf(SegmentCopy.read(format, whole.bytes())), stateOf(read));
    assertTrue(read.patch().isEmpty(), "a segment without a bitmap cannot be patched");
    bare.fold(read.fold(), read.position());
    assertEquals(stateOf(read), stateOf(SegmentCopy.read(format, bare.bytes())));
  }

  /**
   * Folds and patches between appends. Appends may come before they arrive, and some of them are
   * lost.
   */
  @ParameterizedTest
  @EnumSource
  void foldsAndPatchesKeepTheContent(Kind kind) {
    var format = kind.format();
    var history = new SegmentHistory(kind, random);
    var stored = new StoredSegment(format, false);
    var whole = SegmentCopy.empty(format);
    var folding = SegmentCopy.empty(format);
    for (var i = 0; i < BLOCKS; i++) {
      append(history, stored, whole);
      if (random.nextBoolean()) {
        folding.apply(stored.behind(folding.position()));
      }
      var choice = random.nextInt(12);
      var isLost = random.nextInt(4) == 0;
      if (choice == 0) {
        var bytes = folding.fold();
        var position = folding.position();
        folding.sendFold();
        append(history, stored, whole);
        folding.apply(stored.behind(folding.position()));
        if (!isLost) {
          stored.fold(bytes, position);
        }
        end(folding, stored, isLost);
      } else if (choice == 1 && folding.patch().isPresent()) {
        var fields = folding.patch().get();
        folding.sendPatch();
        append(history, stored, whole);
        folding.apply(stored.behind(folding.position()));
        if (!isLost) {
          stored.patch(fields);
        }
        end(folding, stored, isLost);
      }
      assertEquals(
          stateOf(whole), stateOf(SegmentCopy.read(format, stored.bytes())), "seed " + seed);
    }
  }

  private static void append(SegmentHistory history, StoredSegment stored, SegmentCopy whole) {
    var block = history.block();
    stored.append(block, history.tick());
    whole.apply(stored.behind(whole.position()));
  }

  private static void end(SegmentCopy folding, StoredSegment stored, boolean isLost) {
    if (isLost) {
      folding.notWritten();
    } else {
      folding.written();
      var read = SegmentCopy.read(folding.format(), stored.bytes());
      assertEquals(read.unfolded(), folding.unfolded());
    }
  }

  @Test
  void insertionsBeyondTheMostOfAHeaderAreWrittenAsTheMost() {
    var format = Kind.ACCEPTING.format();
    var bitmap = new byte[format.bitmapBytes()];
    bitmap[0] = 1;
    var most = SegmentHeader.MOST_INSERTIONS;
    try (var copy = SegmentCopy.empty(format);
        var full = SegmentCopy.of(format, bitmap, most)) {
      copy.join(full);
      copy.content().add(IntStream.range(100, 100 + format.numHashFunctions()).toArray(), 0, 1);
      try (var read = SegmentCopy.read(format, copy.fold())) {
        assertEquals(most, read.counts(0).insertions());
      }
    }
  }

  @Test
  void aPatchOfTooManyBytesIsLeftToAFold() {
    var format = new SegmentFormat(1 << 16, 5, new SegmentFormat.Fixed(0));
    var copy = SegmentCopy.empty(format);
    for (var i = 0; i < 300; i++) {
      copy.content().add(random.ints(5, 0, 1 << 19).toArray(), 0, 1);
    }
    assertTrue(copy.patch().orElseThrow().size() <= SegmentCopy.MOST_FIELDS);
    for (var i = 0; i < 100; i++) {
      copy.content().add(random.ints(5, 0, 1 << 19).toArray(), 0, 1);
    }
    assertTrue(copy.patch().isEmpty());
  }

  /** A follower that knows the last block therefore notices the new content. */
  @Test
  void aBlockWithoutEntriesMovesTheMarkOnly() {
    var format = Kind.ACCEPTING.format();
    var stored = new StoredSegment(format, false);
    var history = new SegmentHistory(Kind.ACCEPTING, random);
    stored.append(history.block(), 5);
    var copy = SegmentCopy.read(format, stored.bytes());
    var bits = copy.content().bitsSet();
    var mark = BlockWriter.freshMark();
    stored.append(Arrays.copyOf(mark, Block.MARK_BYTES + Block.HEAD_BYTES), 7);
    copy.apply(stored.behind(copy.position()));
    assertArrayEquals(mark, copy.mark());
    assertEquals(bits, copy.content().bitsSet());
    assertEquals(stateOf(copy), stateOf(SegmentCopy.read(format, stored.bytes())));
  }

  @ParameterizedTest
  @EnumSource
  void joinedContentHasANewPosition(Kind kind) {
    var format = kind.format();
    var one = filled(kind, new StoredSegment(format, false));
    var other = filled(kind, new StoredSegment(format, false));
    var joined = SegmentCopy.read(format, one.bytes());
    var mark = joined.mark();
    var tip = joined.position();
    joined.join(SegmentCopy.read(format, other.bytes()));
    assertTrue(joined.position() > tip);
    assertFalse(Arrays.equals(mark, joined.mark()));
    var read = SegmentCopy.read(format, joined.fold());
    assertEquals(stateOf(joined), stateOf(read));
    assertEquals(0, read.unfolded());
    // Later blocks are replayed over it.
    var stored = new StoredSegment(format, false);
    stored.fold(joined.fold(), 0);
    stored.append(new SegmentHistory(kind, random).block(), 1_900_000_000_000L);
    joined.apply(stored.behind(joined.position()));
    assertEquals(stateOf(joined), stateOf(SegmentCopy.read(format, stored.bytes())));
  }

  private StoredSegment filled(Kind kind, StoredSegment stored) {
    var history = new SegmentHistory(kind, random);
    for (var i = 0; i < 10; i++) {
      stored.append(history.block(), history.tick());
    }
    return stored;
  }

  /** An older view of base and folded must not hide blocks. */
  @Test
  void blocksFoldedByAnotherInstanceAreStillReplayed() {
    var format = Kind.COUNTING.format();
    var history = new SegmentHistory(Kind.COUNTING, random);
    var stored = new StoredSegment(format, false);
    var behind = SegmentCopy.empty(format);
    stored.append(history.block(), history.tick());
    behind.apply(stored.behind(0));
    stored.append(history.block(), history.tick());
    var ahead = SegmentCopy.read(format, stored.bytes());
    stored.patch(ahead.patch().orElseThrow());
    assertFalse(behind.confirm(header(format, stored)));
    assertTrue(behind.confirm(header(format, stored)));
    behind.apply(stored.behind(behind.position()));
    assertEquals(stateOf(ahead), stateOf(behind));
    assertEquals(0, behind.unfolded());
  }

  /** The bitmap in Redis lacks changes from before the crash, so a patch would not be enough. */
  @Test
  void aPatchThatACrashUndidIsFollowedByAFold() {
    var format = Kind.ACCEPTING.format();
    var stored = new StoredSegment(format, false);
    var before = header(format, stored);
    stored.append(new SegmentHistory(Kind.ACCEPTING, random).block(), 1);
    var copy = SegmentCopy.read(format, stored.bytes());
    copy.sendPatch();
    copy.written();
    assertTrue(copy.patch().isPresent());
    assertFalse(copy.confirm(before));
    assertTrue(copy.patch().isEmpty());
  }

  private static byte[] header(SegmentFormat format, StoredSegment stored) {
    var from = format.bitmapBytes();
    return Arrays.copyOfRange(stored.bytes(), from, from + format.headerBytes());
  }
}
