package io.github.bloomgate.elements;

import java.time.Duration;

/**
 * A moment by the clocks of this instance. It is never compared with the clock of another machine.
 *
 * @param nanos of the monotonic clock, which stands still while the machine is suspended
 * @param millis of the wall clock, which may be set
 */
public record Moment(long nanos, long millis) {

  public static Moment now() {
    return new Moment(System.nanoTime(), System.currentTimeMillis());
  }

  /** The time since then, by the clock that shows more. */
  public Duration age() {
    return Duration.ofNanos(ageNanos());
  }

  private long ageNanos() {
    var byWallClock = System.currentTimeMillis() - millis;
    return Math.max(System.nanoTime() - nanos, Duration.ofMillis(byWallClock).toNanos());
  }

  boolean isOlderThan(Duration age) {
    return ageNanos() > age.toNanos();
  }

  public boolean isBefore(Moment other) {
    return nanos < other.nanos;
  }

  /** The earlier one of two moments. */
  Moment orEarlier(Moment other) {
    return other.nanos < nanos ? other : this;
  }
}
