package io.github.bloomgate.http.limits;

/**
 * A rate with a burst: fills by so many tokens a second, and holds those of one second. More may be
 * taken at once than it holds; it is in debt then, and gives nothing until that is made up for. So
 * a large request passes a low rate, and the rate holds in the long run. Thread-safe.
 */
final class TokenBucket {

  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;

  private final int perSecond;
  private double tokens;
  private long filledAt;

  /**
   * A full bucket.
   *
   * @param now by the clock of all calls, in nanoseconds
   */
  TokenBucket(int perSecond, long now) {
    this.perSecond = perSecond;
    this.tokens = perSecond;
    this.filledAt = now;
  }

  /**
   * Takes tokens, if there are so many or the bucket is full.
   *
   * @return 0 if they were taken; else after how many nanoseconds they can be, and nothing was
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
   * Takes tokens in any case.
   *
   * @return how many milliseconds to wait so that the rate holds, rounded up: timers know no less
   */
  synchronized long take(int count, long now) {
    fill(now);
    tokens -= count;
    return tokens >= 0 ? 0 : (long) Math.ceil(-tokens * MILLIS / perSecond);
  }

  /** Puts back tokens that were taken. */
  synchronized void giveBack(int count) {
    tokens = Math.min(perSecond, tokens + count);
  }

  /** How many whole tokens there are. */
  synchronized long left(long now) {
    fill(now);
    return (long) Math.max(0, tokens);
  }

  /** After how many nanoseconds it is full. */
  synchronized long untilFull(long now) {
    fill(now);
    return nanos(perSecond - tokens);
  }

  private void fill(long now) {
    // Calls may come in another order than they read the clock.
    if (now > filledAt) {
      tokens = Math.min(perSecond, tokens + (now - filledAt) / NANOS * perSecond);
      filledAt = now;
    }
  }

  private long nanos(double count) {
    return (long) Math.ceil(count / perSecond * NANOS);
  }
}
