package io.github.bloomgate.threads;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Pauses that end on time even if all worker threads are busy. After a delay of the worker pool,
 * the work goes on when a worker is free, and all of them may be waiting for that work.
 */
public final class Pause {

  private Pause() {}

  /** Completes after a time, on a timer thread that must not be blocked. */
  public static CompletableFuture<Void> of(Duration time) {
    return new CompletableFuture<Void>()
        .completeOnTimeout(null, time.toMillis(), TimeUnit.MILLISECONDS);
  }
}
