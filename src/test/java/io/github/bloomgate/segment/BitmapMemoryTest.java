package io.github.bloomgate.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Bitmaps outside the heap are freed without a garbage collection. */
class BitmapMemoryTest {

  private static final int BYTES = (1 << 21) - 24;

  private static final WindowLayout LAYOUT = WindowLayout.ofMillis(8_000, 8, 1_000, 1, false);

  /** Bitmaps of rings are large enough to be kept for reuse. */
  private static final SegmentFormat WINDOW =
      new SegmentFormat(LAYOUT.rings() * 80_000, 5, new SegmentFormat.Windowed(LAYOUT));

  private static long direct() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  @Test
  void manyBitmapsTakeTheMemoryOfOne() {
    // Other lengths were used before, and are not any more.
    var others = Stream.generate(() -> new Bitmap(1 << 16)).limit(300).toList();
    others.forEach(Bitmap::free);
    var before = direct();
    for (var i = 0; i < 50; i++) {
      var bitmap = new Bitmap(BYTES - 8 * i);
      assertEquals(1, bitmap.set(new int[] {8 * i}, 0, 1, 0));
      assertEquals(BYTES - 8 * i, bitmap.capacity());
      bitmap.free();
    }
    assertTrue(direct() - before <= 2L << 21, () -> direct() - before + " bytes");
  }

  private static void assertTakesLittle(Runnable use) {
    use.run();
    var before = direct();
    for (var i = 0; i < 20; i++) {
      use.run();
    }
    assertTrue(direct() - before <= 2L << 21, () -> direct() - before + " bytes");
  }

  /** A segment that is damaged is read by each request for it. */
  @Test
  void aMalformedSegmentTakesNoMemory() {
    var format = new SegmentFormat(BYTES, 5, new SegmentFormat.Fixed(0));
    byte[] whole;
    try (var copy = SegmentCopy.empty(format)) {
      whole = copy.fold();
    }
    var longer = Arrays.copyOf(whole, whole.length + 3);
    whole[0] = 1;
    for (var malformed : List.of(whole, longer)) {
      assertTakesLittle(
          () ->
              assertThrows(
                  IllegalArgumentException.class, () -> SegmentCopy.read(format, malformed)));
    }
  }

  @Test
  void malformedRingsTakeNoMemory() {
    var rings = WINDOW.emptyHeader().kind();
    rings[0] = 1;
    var bitmap = new byte[WINDOW.bitmapBytes()];
    assertTakesLittle(
        () ->
            assertThrows(
                IllegalArgumentException.class,
                () -> SegmentCopy.of(WINDOW, bitmap, 0, 0, rings, 0)));
  }

  @Test
  void joinedRingsTakeTheMemoryOfOneSegment() {
    try (var one = SegmentCopy.empty(WINDOW);
        var other = SegmentCopy.empty(WINDOW)) {
      for (var copy : List.of(one, other)) {
        for (var slice = 0; slice < 9; slice++) {
          copy.content().add(new int[] {1, 2, 3, 4, 5}, 0, 1 + slice * LAYOUT.sliceMillis());
        }
      }
      assertTakesLittle(() -> one.content().addAll(other.content()));
    }
  }

  @Test
  void aFreedBitmapAnswersNothing() {
    var bitmap = new Bitmap(BYTES);
    bitmap.free();
    var positions = new int[] {1};
    assertThrows(NullPointerException.class, () -> bitmap.contains(positions, 0, 1, 0));
  }
}
