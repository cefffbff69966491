package io.github.bloomgate.model;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class IdleExpiryDueTest {

  private static final IdleExpiry EXPIRY = new IdleExpiry(Duration.ofHours(1), false);

  /** Otherwise, a filter that is used could expire before its clock is right again. */
  @Test
  void anExpiryIsDueIfTheClockWasSetBack() {
    var now = Instant.parse("2026-01-01T12:00:00Z");
    var dueAt = now.plus(EXPIRY.untilDue(EXPIRY.postponed()));
    assertFalse(EXPIRY.isDue(dueAt, now));
    assertFalse(EXPIRY.isDue(dueAt, dueAt.minusMillis(1)));
    assertTrue(EXPIRY.isDue(dueAt, dueAt));
    assertTrue(EXPIRY.isDue(dueAt, now.minusMillis(1)));
    assertTrue(EXPIRY.isDue(dueAt, now.minus(Duration.ofHours(1))));
  }
}
