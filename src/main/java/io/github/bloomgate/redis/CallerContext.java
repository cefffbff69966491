package io.github.bloomgate.redis;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import java.util.concurrent.RejectedExecutionException;

/**
 * Delivers results on the caller's Vert.x context, or without one on the completing thread. Equal
 * to others of the same context. Thread-safe.
 */
public final class CallerContext {
  private final Context context;

  private CallerContext(Context context) {
    this.context = context;
  }

  /** The context of the current thread. */
  public static CallerContext current() {
    return new CallerContext(Vertx.currentContext());
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
    return context == null ? this : new CallerContext(((ContextInternal) context).unwrap());
  }

  /**
   * Runs an action there later.
   *
   * @return false if there is no context or it has closed
   */
  public boolean post(Runnable action) {
    if (context == null) {
      return false;
    }
    try {
      context.runOnContext(ignored -> action.run());
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Delivers a result, immediately if already on the context. */
  public void deliver(Runnable result) {
    if (context == null) {
      result.run();
    } else {
      ((ContextInternal) context).emit(ignored -> result.run());
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CallerContext its && its.context == context;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(context);
  }
}
