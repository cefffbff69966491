package io.github.bloomgate.redis;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Times out calls. Used on the link's event loop only.
 *
 * <p>All calls have the same timeout, so they expire in order. One queue and one coarse timer are
 * enough; a timer for each call would cost more than the call.
 */
final class Deadlines {
  private static final int TICKS_PER_TIMEOUT = 20;
  private static final long LONGEST_TICK_MILLIS = 100;

  private final Vertx vertx;
  private final long tickMillis;
  private final Consumer<Call> expired;
  private final Queue<Call> running = new ArrayDeque<>();
  private long timer = -1;

  /**
   * @param expired receives each call without a result after the timeout
   */
  Deadlines(Vertx vertx, Duration timeout, Consumer<Call> expired) {
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
      timer = vertx.setPeriodic(tickMillis, ignored -> tick(System.nanoTime()));
    }
  }

  private void tick(long now) {
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
