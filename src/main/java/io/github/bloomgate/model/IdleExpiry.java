package io.github.bloomgate.model;

import java.time.Duration;
import java.time.Instant;

/**
 * Lets a filter expire when it has not been used for some time. Its expiry is postponed while it is
 * used, but at most once a minute: it lies at least {@code after} and at most {@code after} plus
 * two minutes after the last use.
 *
 * @param after the time without use
 * @param byTests whether tests and counts are use too; adds and removals always are
 */
public record IdleExpiry(Duration after, boolean byTests) {

  /** How often an expiry is postponed at most. */
  private static final Duration STEP = Duration.ofMinutes(1);

  /** The time to the expiry after it was postponed. */
  public Duration postponed() {
    return after.plus(STEP).plus(STEP);
  }

  /**
   * The time until the expiry must be postponed by the next use, which may take another minute.
   *
   * @param left the time to the expiry
   */
  public Duration untilDue(Duration left) {
    return left.minus(after).minus(STEP);
  }

  /**
   * Whether the next use must postpone the expiry: also if the clock was set back, because {@link
   * #untilDue} is never longer than a step.
   */
  public boolean isDue(Instant dueAt, Instant now) {
    return !now.isBefore(dueAt) || now.plus(STEP).isBefore(dueAt);
  }
}
