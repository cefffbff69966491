package io.github.bloomgate.threads;

import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Context;
import io.vertx.core.impl.ContextInternal;
import java.util.concurrent.Executor;

/**
 * Keeps a request on its Vert.x context when it changes threads, and with it the request scope and
 * the request id in log lines. Timers, pools, futures and the link to Redis do not do that.
 *
 * @param context null for none
 */
public record OwnContext(ContextInternal context) {

  public static OwnContext current() {
    return new OwnContext(ContextInternal.current());
  }

  /**
   * The context shared by all requests of the same event loop, where one task can deliver the
   * results of many requests.
   */
  public OwnContext shared() {
    return context == null ? this : new OwnContext(context.unwrap());
  }

  /** Runs a task on this context, immediately if already there; without one, on this thread. */
  public void run(Runnable task) {
    if (context == null) {
      task.run();
    } else {
      context.emit(ignored -> task.run());
    }
  }

  /** Runs tasks on the current context; without one, on the calling thread. */
  public static Executor here() {
    return current()::run;
  }

  /** Worker threads for work that would block an event loop, on the caller's context. */
  public static Executor workers() {
    return current()::runOnWorker;
  }

  /** Where to continue after a wait: the current event loop or, without one, worker threads. */
  public static Executor loopOrWorkers() {
    var own = current();
    return own.context != null && Context.isOnEventLoopThread()
        ? task -> own.context.runOnContext(ignored -> task.run())
        : own::runOnWorker;
  }

  private void runOnWorker(Runnable task) {
    // Looked up late, because the server replaces the pool.
    Infrastructure.getDefaultWorkerPool()
        .execute(context == null ? task : () -> context.dispatch(task));
  }
}
