package io.github.bloomgate.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.Slice;
import io.github.bloomgate.model.Window;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies of segments that forget: all that replay the same journal forget the same. */
class WindowCopyTest {

  private static final int K = 5;
  private static final int RING = 512;
  private static final int SLICES = 3;
  private static final FilterShape SHAPE = new FilterShape(1, (SLICES + 1) * RING, K);
  private static final String MARK = "0123456789abcdef";
  private static final int[] ONE = {1, 2, 3, 4, 5};
  private static final int[] TWO = {1, 2, 3, 4, 6};

  private final Marks marks = new Marks();

  @Test
  void anElementIsKnownUntilItsSliceIsTooOld() {
    var copy = copy(Window.ofSeconds(3, SLICES, true), 100);
    assertEquals(Added.NEW, journal(copy, ONE));
    for (var slice = 100; slice <= 103; slice++) {
      copy.content().setNow(slice);
      assertTrue(copy.content().contains(ONE, 0), "in slice " + slice);
    }
    copy.content().setNow(104);
    assertFalse(copy.content().contains(ONE, 0));
    assertEquals(5, copy.counts().bitsSet(), "nobody has begun a slice");
    assertEquals(Added.NEW, journal(copy, TWO));
    assertEquals(5, copy.counts().bitsSet());
    assertEquals(new Slice(104, 1, 104), copy.content().slice().orElseThrow());
  }

  /** An add that need not be journaled changes nothing, whatever came in between. */
  @Test
  void onlyWhatIsInTheNewestSliceIsSettledWhereItIsRefreshed() {
    var refreshes = copy(Window.ofSeconds(3, SLICES, true), 100);
    var keeps = copy(Window.ofSeconds(3, SLICES, false), 100);
    var byInsertions = copy(Window.ofInsertions(6, SLICES, false), 0);
    for (var copy : new SegmentCopy[] {refreshes, keeps, byInsertions}) {
      assertFalse(copy.content().isSettled(ONE, 0));
      journal(copy, ONE);
    }
    assertTrue(refreshes.content().isSettled(ONE, 0) && keeps.content().isSettled(ONE, 0));
    assertFalse(byInsertions.content().isSettled(ONE, 0));
    refreshes.content().setNow(101);
    keeps.content().setNow(101);
    assertFalse(refreshes.content().isSettled(ONE, 0));
    assertTrue(keeps.content().isSettled(ONE, 0));
    assertEquals(Added.KNOWN, journal(refreshes, ONE));
    assertEquals(10, refreshes.counts().bitsSet());
    keeps.content().setNow(104);
    assertFalse(keeps.content().isSettled(ONE, 0));
  }

  @Test
  void bySliceOfInsertionsTheLastOnesAreKnown() {
    var copy = copy(Window.ofInsertions(6, SLICES, false), 0);
    var elements = new int[20][];
    for (var i = 0; i < elements.length; i++) {
      elements[i] = new int[] {i, i + 50, i + 100, i + 150, i + 200};
      assertEquals(Added.NEW, journal(copy, elements[i]));
      for (var j = 0; j <= i; j++) {
        assertEquals(
            j / 2 >= i / 2 - SLICES, copy.content().contains(elements[j], 0), j + " after " + i);
      }
    }
    assertEquals(new Slice(9, 2, 9), copy.content().slice().orElseThrow());
  }

  /** Whoever reads late has another clock than those who added. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void allComeToTheSame(boolean byTime) {
    var seed = System.nanoTime();
    var random = new Random(seed);
    var refresh = random.nextBoolean();
    var window =
        byTime ? Window.ofSeconds(3, SLICES, refresh) : Window.ofInsertions(60, SLICES, refresh);
    var writer = copy(window, byTime ? 100 : 0);
    var follower = copy(window, byTime ? 100 : 0);
    var journal = new byte[0];
    for (var round = 0; round < 60; round++) {
      if (byTime && random.nextInt(4) == 0) {
        writer
            .content()
            .setNow(writer.content().slice().orElseThrow().now() + 1 + random.nextInt(6));
      }
      var blocks = Blocks.of(writer, marks);
      var some = new int[random.nextInt(1, 30)][];
      for (var i = 0; i < some.length; i++) {
        some[i] = random.ints(K, 0, 60).toArray();
        if (!writer.content().isSettled(some[i], 0)) {
          blocks.add(some[i], 0);
        }
      }
      if (blocks.isEmpty()) {
        continue;
      }
      writer.content().turn();
      for (var element : some) {
        writer.content().add(element, 0);
      }
      var bytes = blocks.bytes();
      writer.journaled(bytes.length, blocks.mark());
      follower.replay(bytes);
      journal = concat(journal, bytes);
      assertArrayEquals(writer.snapshot(), follower.snapshot(), "seed " + seed);
      assertEquals(writer.counts(), follower.counts(), "seed " + seed);
      assertEquals(writer.reached(), follower.reached(), "seed " + seed);
    }
    var start = new Slice(byTime ? 100 : 0, 0, byTime ? 100_000 : 0);
    var late =
        SegmentCopy.ofWindow(
            SHAPE,
            window,
            concat(new byte[(int) SHAPE.segmentBytes()], journal),
            0,
            0,
            MARK,
            new SegmentCounts(0, 0),
            start);
    assertArrayEquals(writer.snapshot(), late.snapshot(), "seed " + seed);
    assertEquals(writer.counts(), late.counts(), "seed " + seed);
  }

  @Test
  void whatIsNoBeginningIsRefused() {
    var copy = copy(Window.ofSeconds(3, SLICES, true), 100);
    copy.content().setNow(101);
    var blocks = Blocks.of(copy, marks);
    blocks.add(ONE, 0);
    var bytes = blocks.bytes();
    assertRefused(new SegmentCopy(SHAPE, 0, empty(), 0, 0, MARK, new SegmentCounts(0, 0)), bytes);
    assertRefused(copy(Window.ofInsertions(6, SLICES, true), 0), bytes);
    for (var length = 1; length < bytes.length; length++) {
      if (length != Blocks.HEADER_BYTES + Blocks.SLICE_BYTES + Blocks.MARK_BYTES) {
        assertRefused(copy(Window.ofSeconds(3, SLICES, true), 100), Arrays.copyOf(bytes, length));
      }
    }
    bytes[2] = (byte) 0xff;
    assertRefused(copy(Window.ofSeconds(3, SLICES, true), 100), bytes);
    var beyond = Blocks.of(copy(Window.ofSeconds(3, SLICES, true), 100), marks);
    beyond.add(new int[] {RING, 1, 2, 3, 4}, 0);
    assertRefused(copy(Window.ofSeconds(3, SLICES, true), 100), beyond.bytes());
  }

  private static void assertRefused(SegmentCopy copy, byte[] blocks) {
    assertThrows(IllegalArgumentException.class, () -> copy.replay(blocks));
  }

  private Added journal(SegmentCopy copy, int... positions) {
    var blocks = Blocks.of(copy, marks);
    blocks.add(positions, 0);
    copy.content().turn();
    var added = copy.content().add(positions, 0);
    copy.journaled(blocks.bytes().length, blocks.mark());
    return added;
  }

  private static SegmentCopy copy(Window window, long slice) {
    return SegmentCopy.ofWindow(
        SHAPE, window, empty(), 0, 0, MARK, new SegmentCounts(0, 0), new Slice(slice, 0, slice));
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
