package io.github.bloomgate.redis;

import io.vertx.core.impl.ContextInternal;

/**
 * Delivers results on the caller's Vert.x context, or without one on the completing thread.
 * Thread-safe.
 */
public record CallerContext(ContextInternal context) {

  /** The context of the current thread. */
  public static CallerContext current() {
    return new CallerContext(ContextInternal.current());
  }

  /** No context: results are delivered on the completing thread. */
  public static CallerContext none() {
    return new CallerContext(null);
  }

  /**
   * The context shared by all requests of the same event loop, where one task can deliver the
   * results of many requests.
   */
  public CallerContext shared() {
    return context == null ? this : new CallerContext(context.unwrap());
  }

  /** Delivers a result, immediately if already on the context. */
  public void deliver(Runnable result) {
    if (context == null) {
      result.run();
    } else {
      context.emit(ignored -> result.run());
    }
  }
}
