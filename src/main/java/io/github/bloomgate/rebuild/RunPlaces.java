package io.github.bloomgate.rebuild;

import io.github.bloomgate.config.BloomgateConfig;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The slots of one instance for runs of sources, and whether more runs are waiting. Thread-safe.
 */
@Singleton
class RunPlaces {

  /** Due runs are checked more often than this. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(15);

  private final int limit;
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicBoolean makesRoom = new AtomicBoolean();
  private volatile long awaitedAt = System.nanoTime() - LOOK_AGAIN.toNanos();
  private volatile boolean isStopped;

  RunPlaces(BloomgateConfig config) {
    this.limit = config.sources().maxConcurrent();
  }

  /** Counts a run that has a slot or waits for one. */
  void enter() {
    taken.incrementAndGet();
  }

  /** Frees a slot. */
  void leave() {
    taken.decrementAndGet();
    makesRoom.set(false);
  }

  /** Whether another run may start. */
  boolean isFree() {
    return !isStopped && taken.get() < limit;
  }

  /** Starts no more runs; the current ones end without effect. */
  void stop() {
    isStopped = true;
  }

  boolean isStopped() {
    return isStopped;
  }

  /** Records that a due run found no slot, so that slow runs make room. */
  void noteAwaited() {
    awaitedAt = System.nanoTime();
  }

  /** Whether one run must end because another is waiting for a slot. */
  boolean makeRoom() {
    return isAwaited() && makesRoom.compareAndSet(false, true);
  }

  /** Whether a run is waiting, or just was. */
  private boolean isAwaited() {
    return taken.get() > limit
        || (taken.get() == limit && System.nanoTime() - awaitedAt < LOOK_AGAIN.toNanos());
  }
}
