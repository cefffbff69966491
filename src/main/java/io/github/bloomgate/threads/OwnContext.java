package io.github.bloomgate.threads;

import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.impl.ContextInternal;
import java.util.concurrent.Executor;

/**
 * Keeps a request on its own Vert.x context when it changes threads: with its request scope, and
 * with the id that its log lines bear. Timers, pools and futures know nothing of it.
 */
public final class OwnContext {

  private OwnContext() {}

  /** Goes on where this was called; where that is no context, on the thread it is used from. */
  public static Executor here() {
    var context = ContextInternal.current();
    return context == null ? Runnable::run : work -> context.runOnContext(ignored -> work.run());
  }

  /** Threads for work that would hold up an event loop, on the context of who hands it over. */
  public static Executor workers() {
    return work -> {
      var context = ContextInternal.current();
      // What the pool is by then: the server sets it.
      Infrastructure.getDefaultWorkerPool()
          .execute(context == null ? work : () -> context.dispatch(work));
    };
  }
}
