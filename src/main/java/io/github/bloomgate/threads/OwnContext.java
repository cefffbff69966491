package io.github.bloomgate.threads;

import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Context;
import io.vertx.core.impl.ContextInternal;
import java.util.concurrent.Executor;

/**
 * Keeps a request on its Vert.x context when it changes threads, and with it the request scope and
 * the request id in log lines. Timers, pools and futures do not do that.
 */
public final class OwnContext {

  private OwnContext() {}

  /** Runs tasks on the current context; without one, on the calling thread. */
  public static Executor here() {
    var context = ContextInternal.current();
    return context == null ? Runnable::run : work -> context.runOnContext(ignored -> work.run());
  }

  /** Worker threads for work that would block an event loop, on the caller's context. */
  public static Executor workers() {
    return work -> onWorker(ContextInternal.current(), work);
  }

  /** Where to continue after a wait: the current event loop or, without one, worker threads. */
  public static Executor loopOrWorkers() {
    var context = ContextInternal.current();
    return Context.isOnEventLoopThread() ? here() : work -> onWorker(context, work);
  }

  private static void onWorker(ContextInternal context, Runnable work) {
    // Looked up late, because the server replaces the pool.
    Infrastructure.getDefaultWorkerPool()
        .execute(context == null ? work : () -> context.dispatch(work));
  }
}
