package io.github.bloomgate.journal;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MissesTest {

  private static final long BYTES = 1 << 21;
  private static final int ENOUGH = 128;

  private final Misses misses = new Misses();

  @Test
  void oneIsTold() {
    assertFalse(misses.add(ENOUGH - 1, BYTES));
    assertTrue(misses.add(1, BYTES));
    assertFalse(misses.add(ENOUGH, BYTES));
  }

  @Test
  void ofASmallBitmapSomeElementsAreNeededToo() {
    assertFalse(misses.add(15, 1));
    assertTrue(misses.add(1, 1));
  }
}
