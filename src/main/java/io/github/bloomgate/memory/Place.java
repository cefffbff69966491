package io.github.bloomgate.memory;

import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Context;
import io.vertx.core.impl.ContextInternal;

/**
 * Where a request continues after waiting: on its event loop, or on a worker thread if it had none.
 */
final class Place {

  private final ContextInternal context;
  private final boolean isLoop;

  private Place(ContextInternal context, boolean isLoop) {
    this.context = context;
    this.isLoop = isLoop;
  }

  static Place ofCaller() {
    return new Place(ContextInternal.current(), Context.isOnEventLoopThread());
  }

  void go(Runnable work) {
    if (context == null) {
      Infrastructure.getDefaultWorkerPool().execute(work);
    } else if (isLoop) {
      context.runOnContext(ignored -> work.run());
    } else {
      Infrastructure.getDefaultWorkerPool().execute(() -> context.dispatch(work));
    }
  }
}
