package io.github.bloomgate.rebuild;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The places of one instance for runs of sources, and whether further runs wait. Thread-safe. */
final class RunPlaces {

  /** Due runs are looked for more often than this. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(15);

  private final int limit;
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicBoolean makesRoom = new AtomicBoolean();
  private volatile long awaitedAt;
  private volatile boolean wasAwaited;
  private volatile boolean isStopped;

  RunPlaces(int limit) {
    this.limit = limit;
  }

  /** A run begins, or waits for a place. */
  void enter() {
    taken.incrementAndGet();
  }

  /** A run has ended. */
  void leave() {
    taken.decrementAndGet();
    makesRoom.set(false);
  }

  boolean isFree() {
    return taken.get() < limit;
  }

  /** No further run begins, and those that are under way end without effect. */
  void stop() {
    isStopped = true;
  }

  boolean isStopped() {
    return isStopped;
  }

  /** A due run has found no place. */
  void noteAwaited() {
    awaitedAt = System.nanoTime();
    wasAwaited = true;
  }

  /** Whether a run must end because another one waits for its place; one at a time. */
  boolean makeRoom() {
    return isAwaited() && makesRoom.compareAndSet(false, true);
  }

  /** Whether a run waits at this moment, or did a moment ago. */
  private boolean isAwaited() {
    return taken.get() > limit
        || (!isFree() && wasAwaited && System.nanoTime() - awaitedAt < LOOK_AGAIN.toNanos());
  }
}
