package io.github.bloomgate.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Bitmaps outside the heap are freed without a garbage collection. */
class BitmapMemoryTest {

  private static final int BYTES = (1 << 21) - 24;

  private static long direct() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  @Test
  void manyBitmapsTakeTheMemoryOfOne() {
    var before = direct();
    for (var i = 0; i < 50; i++) {
      var bitmap = new Bitmap(BYTES - 8 * i);
      assertEquals(1, bitmap.set(new int[] {8 * i}, 0, 1, 0));
      assertEquals(BYTES - 8 * i, bitmap.capacity());
      bitmap.free();
    }
    assertTrue(direct() - before <= 2L << 21, () -> direct() - before + " bytes");
  }

  @Test
  void aFreedBitmapAnswersNothing() {
    var bitmap = new Bitmap(BYTES);
    bitmap.free();
    var positions = new int[] {1};
    assertThrows(NullPointerException.class, () -> bitmap.contains(positions, 0, 1, 0));
  }
}
