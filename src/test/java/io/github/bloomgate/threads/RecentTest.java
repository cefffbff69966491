package io.github.bloomgate.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.InParallel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Has its own clock, which stands still unless a test moves it. */
class RecentTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private final AtomicInteger done = new AtomicInteger();
  private final Recent<String, Integer> recent = new Recent<>(10, now::get);

  private int ask(String question, Duration age) {
    return recent.get(question, age, done::incrementAndGet);
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void aResultIsSharedWithinItsAge() {
    assertEquals(1, ask("a", SECOND));
    pass(SECOND);
    assertEquals(1, ask("a", SECOND));
    pass(Duration.ofNanos(1));
    assertEquals(2, ask("a", SECOND));
    assertEquals(2, ask("a", SECOND));
  }

  @Test
  void ageZeroStartsNewWorkAndSupersedesOlderResults() {
    assertEquals(1, ask("a", SECOND));
    pass(Duration.ofNanos(1));
    assertEquals(2, ask("a", Duration.ZERO));
    assertEquals(2, ask("a", SECOND));
  }

  @Test
  void ageZeroKeepsNoResultThatNoCallerShares() {
    assertEquals(1, ask("a", Duration.ZERO));
    assertEquals(2, ask("a", SECOND));
  }

  @Test
  void aFailureIsNotRemembered() {
    var failure = new IllegalStateException("Redis is away");
    assertSame(
        failure,
        assertThrows(
            IllegalStateException.class,
            () ->
                recent.get(
                    "a",
                    SECOND,
                    () -> {
                      throw failure;
                    })));
    assertEquals(1, ask("a", SECOND));
  }

  /** A result is as old as the start of its work, so it may lack later changes. */
  @Test
  void callersWaitForRunningWorkOnlyWithinTheirAge() throws Exception {
    var goOn = new CountDownLatch(1);
    var begun = new CountDownLatch(1);
    Supplier<Integer> slow =
        () -> {
          begun.countDown();
          awaitLatch(goOn);
          return done.incrementAndGet();
        };
    var first = CompletableFuture.supplyAsync(() -> recent.get("a", SECOND, slow));
    awaitLatch(begun);
    var soon = new CompletableFuture<Integer>();
    var waiting = new Thread(() -> soon.complete(ask("a", SECOND)));
    waiting.start();
    Awaitility.await().until(() -> waiting.getState() == Thread.State.WAITING);
    pass(SECOND.plusNanos(1));
    assertEquals(1, ask("a", SECOND));
    goOn.countDown();
    assertEquals(2, first.get());
    assertEquals(2, soon.get());
    assertEquals(1, ask("a", SECOND));
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      assertTrue(latch.await(InParallel.MAX_WAIT.toSeconds(), TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
