package io.github.bloomgate.http.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The rate of a bucket holds in the long run, and a client learns when to retry. */
class TokenBucketTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @Test
  void onlyABurstOfOneSecondPasses() {
    var bucket = new TokenBucket(10, 0);
    for (var i = 0; i < 10; i++) {
      assertEquals(0, bucket.tryTake(1, 0));
    }
    assertEquals(SECOND / 10, bucket.tryTake(1, 0));
    assertEquals(0, bucket.left(0));
    assertEquals(SECOND, bucket.untilFull(0));
  }

  @Test
  void waitingForTheReportedTimePasses() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    var bucket = new TokenBucket(7, 0);
    var now = 0L;
    for (var i = 0; i < 1000; i++) {
      var count = 1 + random.nextInt(30);
      var wait = bucket.tryTake(count, now);
      // Adds a nanosecond for rounding.
      assertEquals(0, wait == 0 ? 0 : bucket.tryTake(count, now + wait + 1), "seed " + seed);
      now += wait + 1;
    }
  }

  @Test
  void aRequestAboveTheBurstPassesAndBecomesDebt() {
    var bucket = new TokenBucket(10, 0);
    assertEquals(0, bucket.tryTake(1000, 0));
    assertEquals(0, bucket.left(0));
    assertEquals(99 * SECOND + SECOND / 10, bucket.tryTake(1, 0));
    assertEquals(0, bucket.tryTake(1, 99 * SECOND + SECOND / 10));
  }

  @Test
  void theRateHoldsForAnySizeOfRequest() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    var bucket = new TokenBucket(100, 0);
    var now = 0L;
    var taken = 0L;
    for (var i = 0; i < 1000; i++) {
      var count = 1 + random.nextInt(500);
      now += TimeUnit.MILLISECONDS.toNanos(bucket.take(count, now));
      taken += count;
    }
    assertTrue(Math.abs((taken - 100) * SECOND / 100 - now) < SECOND / 100, "seed " + seed);
  }

  /** Timers cannot wait for less than a millisecond. */
  @Test
  void aShortWaitIsRoundedUp() {
    var bucket = new TokenBucket(4000, 0);
    assertEquals(0, bucket.take(4000, 0));
    assertEquals(1, bucket.take(1, 0));
    assertEquals(1, bucket.take(3, 0));
    assertEquals(2, bucket.take(1, 0));
  }

  @Test
  void itHoldsTokensForOneSecond() {
    var bucket = new TokenBucket(10, 0);
    assertEquals(10, bucket.left(1000 * SECOND));
    assertEquals(0, bucket.untilFull(1000 * SECOND));
  }

  @Test
  void aClockReadEarlierFillsNothing() {
    var bucket = new TokenBucket(10, 5 * SECOND);
    assertEquals(0, bucket.tryTake(10, 5 * SECOND));
    assertEquals(0, bucket.left(0));
    assertEquals(5, bucket.left(5 * SECOND + SECOND / 2));
  }
}
