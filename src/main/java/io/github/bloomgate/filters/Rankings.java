package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The last ranking of the same filters, and the next one while it is under way. Thread-safe.
 *
 * <p>The longer a reading takes the longer it is kept, so that it goes on for a twentieth of the
 * time at most. Who asks for one that is over waits for the next, unless that takes long: then it
 * is read beside, and the one before is given meanwhile.
 */
final class Rankings {

  private static final int PART_OF_THE_TIME = 20;
  private static final Duration SHORT = Duration.ofMillis(250);

  private final Supplier<Ranking> work;
  private final Consumer<Ranking> release;
  private final LongSupplier nanoTime;

  // All guarded by this.
  private Ranking last;
  private FutureTask<Ranking> next;
  private boolean isForgotten;
  private long begun;
  private long nanos;

  /**
   * Rankings by some work.
   *
   * @param release gets each that is not kept any more
   */
  Rankings(Supplier<Ranking> work, Consumer<Ranking> release) {
    this(work, release, System::nanoTime);
  }

  Rankings(Supplier<Ranking> work, Consumer<Ranking> release, LongSupplier nanoTime) {
    this.work = work;
    this.release = release;
    this.nanoTime = nanoTime;
  }

  /** The ranking to be used now; the first one is waited for, by the thread that reads it. */
  Ranking now() {
    FutureTask<Ranking> reading;
    boolean isMine;
    synchronized (this) {
      if (last != null && nanoTime.getAsLong() - begun < PART_OF_THE_TIME * nanos) {
        return last;
      }
      isMine = next == null;
      if (isMine) {
        next = new FutureTask<>(this::read);
      }
      reading = next;
      if (last != null && nanos > SHORT.toNanos()) {
        if (isMine) {
          Infrastructure.getDefaultWorkerPool().execute(reading);
        }
        return last;
      }
    }
    if (isMine) {
      reading.run();
    }
    return await(Uni.createFrom().future(reading));
  }

  private Ranking read() {
    var start = nanoTime.getAsLong();
    try {
      var read = work.get();
      keep(read, start);
      return read;
    } finally {
      synchronized (this) {
        next = null;
      }
    }
  }

  private synchronized void keep(Ranking read, long start) {
    release(last);
    last = read;
    begun = start;
    nanos = nanoTime.getAsLong() - start;
    if (isForgotten) {
      forget();
    }
  }

  /** Keeps none any more. */
  synchronized void forget() {
    isForgotten = true;
    release(last);
    last = null;
  }

  private void release(Ranking kept) {
    if (kept != null) {
      release.accept(kept);
    }
  }
}
