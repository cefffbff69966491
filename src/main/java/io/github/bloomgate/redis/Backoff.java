package io.github.bloomgate.redis;

import java.time.Duration;

/**
 * Pauses between attempts to connect, which double from a tenth of the longest up to the longest.
 */
final class Backoff {
  private static final int FIRST_PER_LONGEST = 10;

  private final long firstMillis;
  private final long longestMillis;
  private long nextMillis;

  Backoff(Duration longest) {
    longestMillis = Math.max(1, longest.toMillis());
    firstMillis = Math.max(1, longestMillis / FIRST_PER_LONGEST);
    nextMillis = firstMillis;
  }

  /** The next pause, in milliseconds. */
  long next() {
    long pause = nextMillis;
    nextMillis = Math.min(longestMillis, 2 * pause);
    return pause;
  }

  void reset() {
    nextMillis = firstMillis;
  }
}
