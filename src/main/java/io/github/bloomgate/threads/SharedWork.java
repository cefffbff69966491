package io.github.bloomgate.threads;

import static io.github.bloomgate.threads.Await.await;

import io.smallrye.mutiny.Uni;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Work done once for concurrent callers: the first thread does it, the others wait and share its
 * failure. Thread-safe.
 */
public final class SharedWork {

  private final Runnable work;
  private final AtomicReference<FutureTask<Void>> running = new AtomicReference<>();

  public SharedWork(Runnable work) {
    this.work = work;
  }

  /** Does the work, or waits for the thread already doing it. */
  public void run() {
    var mine = new FutureTask<Void>(work, null);
    var others = running.compareAndExchange(null, mine);
    if (others == null) {
      mine.run();
      running.set(null);
    }
    await(Uni.createFrom().future(others == null ? mine : others));
  }
}
