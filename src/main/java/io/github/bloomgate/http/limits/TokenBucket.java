package io.github.bloomgate.http.limits;

/**
 * A rate with a burst: it fills at a rate per second and holds the tokens of one second. A full
 * bucket may be overdrawn and then gives nothing until the debt is paid, so that a large request
 * passes a low rate while the rate holds in the long run. Thread-safe.
 */
final class TokenBucket {

  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;

  private final int perSecond;
  private double tokens;
  private long filledAt;

  /**
   * Creates a full bucket.
   *
   * @param now in nanoseconds, by the clock of all calls
   */
  TokenBucket(int perSecond, long now) {
    this.perSecond = perSecond;
    this.tokens = perSecond;
    this.filledAt = now;
  }

  /**
   * Takes tokens if there are enough or the bucket is full.
   *
   * @return 0 if they were taken; otherwise the nanoseconds to wait, and nothing was taken
   */
  synchronized long tryTake(int count, long now) {
    fill(now);
    var missing = Math.min(count, perSecond) - tokens;
    if (missing > 0) {
      return nanos(missing);
    }
    tokens -= count;
    return 0;
  }

  /**
   * Takes tokens, even beyond the balance.
   *
   * @return the milliseconds to wait to keep the rate, rounded up because timers have that
   *     resolution
   */
  synchronized long take(int count, long now) {
    fill(now);
    tokens -= count;
    return tokens >= 0 ? 0 : (long) Math.ceil(-tokens * MILLIS / perSecond);
  }

  synchronized void giveBack(int count) {
    tokens = Math.min(perSecond, tokens + count);
  }

  synchronized long left(long now) {
    fill(now);
    return (long) Math.max(0, tokens);
  }

  /** The nanoseconds until it is full. */
  synchronized long untilFull(long now) {
    fill(now);
    return nanos(perSecond - tokens);
  }

  private void fill(long now) {
    // Calls may arrive in another order than their clock readings.
    if (now > filledAt) {
      tokens = Math.min(perSecond, tokens + (now - filledAt) / NANOS * perSecond);
      filledAt = now;
    }
  }

  private long nanos(double count) {
    return (long) Math.ceil(count / perSecond * NANOS);
  }
}
