package io.github.bloomgate.filters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** By a clock of its own, which stands still unless a test moves it. */
class RankingsTest {

  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger read = new AtomicInteger();
  private final List<Ranking> released = new ArrayList<>();

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  private Ranking reading(Duration takes) {
    pass(takes);
    read.incrementAndGet();
    return new Ranking(Instant.EPOCH, 1, List.of());
  }

  @Test
  void aRankingIsKeptTwentyTimesAsLongAsItsReadingTook() {
    var rankings = new Rankings(() -> reading(Duration.ofMillis(10)), released::add, now::get);
    var first = rankings.now();
    pass(Duration.ofMillis(189));
    assertSame(first, rankings.now());
    pass(Duration.ofMillis(1));
    var second = rankings.now();
    assertNotSame(first, second);
    assertEquals(2, read.get());
    assertEquals(List.of(first), released);
    rankings.forget();
    assertEquals(List.of(first, second), released);
  }

  @Test
  void oneThatTakesLongIsReadBesideWhileTheLastOneIsUsed() {
    var goOn = new CountDownLatch(1);
    var rankings =
        new Rankings(
            () -> {
              if (read.get() > 0) {
                awaitLatch(goOn);
              }
              return reading(Duration.ofSeconds(1));
            },
            released::add,
            now::get);
    var first = rankings.now();
    pass(Duration.ofSeconds(20));
    assertSame(first, rankings.now());
    assertSame(first, rankings.now());
    goOn.countDown();
    Awaitility.await().until(() -> rankings.now() != first);
    assertEquals(2, read.get());
    assertEquals(List.of(first), released);
  }

  @Test
  void aReadingThatFailsIsNotKept() {
    var failure = new IllegalStateException("Redis is away");
    var rankings =
        new Rankings(
            () -> {
              if (read.getAndIncrement() == 0) {
                throw failure;
              }
              return reading(Duration.ZERO);
            },
            released::add,
            now::get);
    assertSame(failure, assertThrows(IllegalStateException.class, rankings::now));
    rankings.now();
    assertEquals(List.of(), released);
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
