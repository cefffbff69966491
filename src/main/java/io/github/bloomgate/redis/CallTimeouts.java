package io.github.bloomgate.redis;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Times out calls. Used on the link's event loop only.
 *
 * <p>All calls have the same timeout, so they expire in order. One queue and one coarse timer are
 * enough; a timer for each call would cost more than the call.
 */
final class CallTimeouts {
  private static final int TICKS_PER_TIMEOUT = 20;
  private static final long LONGEST_TICK_MILLIS = 100;
  private static final int LATE_TICKS = 3;

  /** On a loop that is always busy, calls expire all the same. */
  private static final int MOST_SKIPPED = 5;

  private final Vertx vertx;
  private final long tickMillis;
  private final Consumer<Call> expired;
  private final Queue<Call> running = new ArrayDeque<>();
  private long timer = -1;
  private long lastTick;

  /** Until then, replies that arrived while the loop was busy can be read. */
  private long graceEnd = System.nanoTime();

  private int skipped;

  /**
   * @param expired receives each call without a result after the timeout
   */
  CallTimeouts(Vertx vertx, Duration timeout, Consumer<Call> expired) {
    this.vertx = vertx;
    this.tickMillis =
        Math.max(1, Math.min(LONGEST_TICK_MILLIS, timeout.toMillis() / TICKS_PER_TIMEOUT));
    this.expired = expired;
  }

  void watch(Call call) {
    // Replies arrive in order, so this keeps the queue short between ticks.
    while (!running.isEmpty() && running.peek().done()) {
      running.remove();
    }
    running.add(call);
    if (timer < 0) {
      lastTick = System.nanoTime();
      timer = vertx.setPeriodic(tickMillis, ignored -> tick(System.nanoTime()));
    }
  }

  private void tick(long now) {
    var sinceLast = now - lastTick;
    lastTick = now;
    var isLate = sinceLast > TimeUnit.MILLISECONDS.toNanos(LATE_TICKS * tickMillis);
    if (isLate && skipped < MOST_SKIPPED) {
      // The event loop was busy and has not read the replies that arrived meanwhile.
      skipped++;
      graceEnd = now + TimeUnit.MILLISECONDS.toNanos(tickMillis);
      return;
    }
    if (now - graceEnd < 0) {
      // One of the ticks that were missed, which follow each other at once.
      return;
    }
    skipped = 0;
    Call call;
    while ((call = running.peek()) != null && (call.done() || call.deadline() - now <= 0)) {
      running.remove();
      if (!call.done()) {
        expired.accept(call);
      }
    }
    if (running.isEmpty()) {
      vertx.cancelTimer(timer);
      timer = -1;
    }
  }
}
