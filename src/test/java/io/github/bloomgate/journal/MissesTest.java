package io.github.bloomgate.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MissesTest {

  private static final long BYTES = 1 << 21;
  private static final int ENOUGH = 128;

  private final Misses misses = new Misses();

  @Test
  void oneIsToldUntilItIsReadAgain() {
    assertFalse(misses.add(15, 1));
    assertTrue(misses.add(1, 1));
    assertFalse(misses.add(100, 1));
    misses.spare(116);
    misses.reset();
    assertFalse(misses.add(ENOUGH - 1, BYTES));
    assertTrue(misses.add(1, BYTES));
  }

  @Test
  void whatIsOutOfDateAtOnceIsReadEverLessOften() {
    for (var patience = 1; patience <= 256; patience *= 2) {
      assertEquals(patience * ENOUGH, untilTold());
      misses.reset();
    }
    assertEquals(256 * ENOUGH, untilTold());
    misses.spare(256 * ENOUGH);
    misses.reset();
    assertEquals(ENOUGH, untilTold());
  }

  private int untilTold() {
    var count = 1;
    while (!misses.add(1, BYTES)) {
      count++;
    }
    return count;
  }
}
