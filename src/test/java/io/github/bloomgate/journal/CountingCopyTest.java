package io.github.bloomgate.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.BitCount;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.CounterCounts;
import io.github.bloomgate.model.Counters;
import io.github.bloomgate.model.SegmentCounts;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies of segments with counters, against counters that are numbers. */
class CountingCopyTest {

  private static final int K = 4;
  private static final int COUNTERS = 256;
  private static final FilterShape SHAPE = new FilterShape(1, Counters.BITS * COUNTERS, K);
  private static final String MARK = "0123456789abcdef";
  private static final int[] ONE = {1, 2, 3, 4};
  private static final int[] TWO = {4, 5, 6, 7};

  private final Marks marks = new Marks();

  @Test
  void anElementIsKnownUntilItIsRemovedAsOftenAsItWasAdded() {
    var copy = copy(0);
    assertEquals(Added.NEW, copy.content().add(ONE, 0));
    assertEquals(Added.KNOWN, copy.content().add(ONE, 0));
    assertEquals(2, copy.content().count(ONE, 0));
    assertEquals(2, copy.counts().insertions());
    assertTrue(copy.content().remove(ONE, 0) && copy.content().contains(ONE, 0));
    assertTrue(copy.content().remove(ONE, 0));
    assertFalse(copy.content().contains(ONE, 0) || copy.content().remove(ONE, 0));
    assertEquals(counts(0, 0, 0, 0), copy.counts());
    assertArrayEquals(empty(), copy.snapshot());
  }

  @Test
  void whatCertainlyIsNotThereIsNotRemovedAndChangesNothing() {
    var copy = copy(0);
    copy.content().add(ONE, 0);
    var before = copy.snapshot();
    var counts = copy.counts();
    assertFalse(copy.content().remove(TWO, 0));
    assertArrayEquals(before, copy.snapshot());
    assertEquals(counts, copy.counts());
  }

  /** What a wrong removal does: the element that was there is lost. */
  @Test
  void whatIsRemovedThoughItWasNeverAddedTakesOthersWithIt() {
    var copy = copy(0);
    copy.content().add(ONE, 0);
    copy.content().add(TWO, 0);
    var never = new int[] {1, 5, 2, 6};
    assertTrue(copy.content().contains(never, 0) && copy.content().remove(never, 0));
    assertFalse(copy.content().contains(ONE, 0) || copy.content().contains(TWO, 0));
    assertEquals(1, copy.counts().insertions());
    assertTrue(copy.content().remove(new int[] {3, 3, 3, 3}, 0));
    assertTrue(copy.content().remove(new int[] {7, 7, 7, 7}, 0));
    assertEquals(0, copy.counts().insertions(), "never below 0");
    assertEquals(2, copy.content().count(new int[] {4, 4, 4, 4}, 0));
  }

  @Test
  void aFullCounterStays() {
    var copy = copy(0);
    for (var i = 1; i <= Counters.MOST; i++) {
      assertFalse(copy.content().isSettled(ONE, 0));
      copy.content().add(ONE, 0);
      assertEquals(i, copy.content().count(ONE, 0));
    }
    assertTrue(copy.content().isSettled(ONE, 0));
    assertEquals(Added.KNOWN, copy.content().add(ONE, 0));
    var full = counts(16, 15, 4, 4);
    assertEquals(full, copy.counts());
    assertTrue(copy.content().remove(ONE, 0));
    assertEquals(full, copy.counts());
    copy.content().add(TWO, 0);
    assertEquals(counts(19, 16, 7, 4), copy.counts());
    assertTrue(copy.content().remove(TWO, 0));
    assertEquals(full, copy.counts());
  }

  @Test
  void equalPositionsAreOneCounter() {
    var copy = copy(0);
    var twice = new int[] {9, 9, 8, 9};
    copy.content().add(twice, 0);
    assertEquals(1, copy.content().count(twice, 0));
    assertEquals(2, copy.counts().counters().orElseThrow().above0());
    assertTrue(copy.content().remove(twice, 0));
    assertArrayEquals(empty(), copy.snapshot());
  }

  /** As others may just have removed something, also what is refused is journaled. */
  @Test
  void whereAnElementIsRemovedThereIsRoomAgain() {
    var copy = copy(2);
    copy.content().add(ONE, 0);
    copy.content().add(ONE, 0);
    assertEquals(Added.REFUSED, copy.content().add(ONE, 0));
    assertEquals(Added.REFUSED, copy.content().add(TWO, 0));
    assertFalse(copy.content().isFull());
    copy.content().remove(ONE, 0);
    assertEquals(Added.NEW, copy.content().add(TWO, 0));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 40})
  void allThatReplayItComeToTheSame(long maxInsertions) {
    var seed = System.nanoTime();
    var told = "seed " + seed;
    System.out.println("counting copy: " + told);
    var random = new Random(seed);
    var model = new int[COUNTERS];
    var size = 0L;
    var writer = copy(maxInsertions);
    var follower = copy(maxInsertions);
    var journal = new byte[0];
    for (var round = 0; round < 200; round++) {
      var blocks = Blocks.of(writer, marks);
      for (var i = random.nextInt(1, 40); i > 0; i--) {
        var element = random.ints(K, 0, random.nextBoolean() ? 6 : COUNTERS).toArray();
        var least = Arrays.stream(element).map(p -> model[p]).min().orElseThrow();
        if (random.nextBoolean()) {
          if (!writer.content().isSettled(element, 0)) {
            blocks.add(element, 0);
          }
          var refused = least < 15 && maxInsertions > 0 && size >= maxInsertions;
          var expected = refused ? Added.REFUSED : least == 0 ? Added.NEW : Added.KNOWN;
          assertEquals(expected, writer.content().add(element, 0), told);
          if (!refused) {
            size += move(model, element, 1);
          }
        } else {
          blocks.remove(element, 0);
          assertEquals(least > 0, writer.content().remove(element, 0), told);
          size = least > 0 ? Math.max(0, size - move(model, element, -1)) : size;
        }
      }
      if (!blocks.isEmpty()) {
        var bytes = blocks.bytes();
        writer.journaled(bytes.length, blocks.mark());
        follower.replay(bytes);
        journal = concat(journal, bytes);
      }
      assertArrayEquals(bytes(model), writer.snapshot(), told);
      assertArrayEquals(writer.snapshot(), follower.snapshot(), told);
      assertEquals(
          counts(
              BitCount.of(bytes(model), 0, COUNTERS / 2),
              size,
              Arrays.stream(model).filter(counter -> counter > 0).count(),
              Arrays.stream(model).filter(counter -> counter == 15).count()),
          writer.counts(),
          told);
      assertEquals(writer.counts(), follower.counts(), told);
      assertEquals(writer.reached(), follower.reached(), told);
    }
    var late =
        new SegmentCopy(
            SHAPE, maxInsertions, concat(empty(), journal), 0, 0, MARK, counts(0, 0, 0, 0));
    assertArrayEquals(writer.snapshot(), late.snapshot(), told);
    assertEquals(writer.counts(), late.counts(), told);
  }

  /** Whether a counter went up or down. */
  private static int move(int[] model, int[] element, int by) {
    var moved = 0;
    for (var p : Arrays.stream(element).distinct().toArray()) {
      if (model[p] < 15) {
        model[p] += by;
        moved = 1;
      }
    }
    return moved;
  }

  private static byte[] bytes(int[] model) {
    var bytes = new byte[COUNTERS / 2];
    for (var p = 0; p < COUNTERS; p++) {
      bytes[p / 2] |= (byte) (p % 2 == 0 ? model[p] << 4 : model[p]);
    }
    return bytes;
  }

  @Test
  void aSegmentIsReadWithTheCountsThatItHas() {
    var copy = copy(0);
    copy.content().add(ONE, 0);
    copy.content().add(TWO, 0);
    var right = copy.counts();
    var read = copy.snapshot();
    assertEquals(right, new SegmentCopy(SHAPE, 0, read, 0, 0, MARK, right).counts());
    for (var wrong : new CounterCounts[] {new CounterCounts(6, 0), new CounterCounts(7, 1)}) {
      var counts = new SegmentCounts(right.bitsSet(), right.insertions(), wrong);
      assertThrows(
          IllegalArgumentException.class,
          () -> new SegmentCopy(SHAPE, 0, read, 0, 0, MARK, counts));
    }
  }

  @Test
  void whatIsNoRemovalIsRefused() {
    var blocks = Blocks.of(copy(0), marks);
    blocks.remove(ONE, 0);
    var bytes = blocks.bytes();
    assertEquals(0x40, bytes[0]);
    assertEquals(1, bytes[1]);
    var plain = new SegmentCopy(SHAPE, 0, empty(), 0, 0, MARK, new SegmentCounts(0, 0));
    assertThrows(IllegalArgumentException.class, () -> plain.replay(bytes));
    for (var length = 1; length < bytes.length; length++) {
      var cut = Arrays.copyOf(bytes, length);
      assertThrows(IllegalArgumentException.class, () -> copy(0).replay(cut));
    }
    var beyond = Blocks.of(copy(0), marks);
    beyond.remove(new int[] {COUNTERS, 1, 2, 3}, 0);
    assertThrows(IllegalArgumentException.class, () -> copy(0).replay(beyond.bytes()));
    bytes[1] = 0;
    assertThrows(IllegalArgumentException.class, () -> copy(0).replay(bytes));
  }

  private static SegmentCopy copy(long maxInsertions) {
    return new SegmentCopy(SHAPE, maxInsertions, empty(), 0, 0, MARK, counts(0, 0, 0, 0));
  }

  private static SegmentCounts counts(long bitsSet, long insertions, long above0, long full) {
    return new SegmentCounts(bitsSet, insertions, new CounterCounts(above0, full));
  }

  private static byte[] empty() {
    return new byte[(int) SHAPE.segmentBytes()];
  }

  private static byte[] concat(byte[] one, byte[] other) {
    var both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }
}
