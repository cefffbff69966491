package io.github.bloomgate.support;

import io.smallrye.mutiny.infrastructure.Infrastructure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * Worker threads that are all busy. As in the service, the worker pool runs what follows a delay,
 * and so it waits for a free worker.
 */
public final class BusyWorkers {

  private BusyWorkers() {}

  /** Runs a task while the only worker is busy. */
  public static void during(Runnable task) {
    var before = Infrastructure.getDefaultExecutor();
    var workers = new ScheduledThreadPoolExecutor(1);
    var end = new CompletableFuture<Void>();
    workers.execute(end::join);
    Infrastructure.setDefaultExecutor(workers, false);
    try {
      task.run();
    } finally {
      Infrastructure.setDefaultExecutor(before, false);
      end.complete(null);
      workers.shutdown();
    }
  }
}
