package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MomentTest {

  private static final Duration AN_HOUR = Duration.ofHours(1);

  @Test
  void theClockThatShowsMoreDecides() {
    var now = Moment.now();
    var hour = AN_HOUR.toMillis();
    // The machine was suspended for two hours.
    var suspended = new Moment(now.nanos(), now.millis() - 2 * hour);
    assertTrue(suspended.isOlderThan(AN_HOUR));
    // The wall clock was set back by two hours.
    var setBack = new Moment(now.nanos() - 2 * AN_HOUR.toNanos(), now.millis() + 2 * hour);
    assertTrue(setBack.isOlderThan(AN_HOUR));
    assertFalse(now.isOlderThan(AN_HOUR));
  }

  @Test
  void theEarlierOneIsTheOlder() {
    var now = Moment.now();
    var later = new Moment(now.nanos() + 1, now.millis());
    assertEquals(now, now.orEarlier(later));
    assertEquals(now, later.orEarlier(now));
  }
}
