package io.github.bloomgate.redis;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import java.util.concurrent.RejectedExecutionException;

/**
 * Where a caller gets its result: on the Vert.x context it asked from, if it had one, else on the
 * thread that knows the result. Equal to others of the same context. Thread-safe.
 */
public final class CallerContext {
  private final Context context;

  private CallerContext(Context context) {
    this.context = context;
  }

  /** That of the caller on this thread. */
  public static CallerContext current() {
    return new CallerContext(Vertx.currentContext());
  }

  /** That of nobody: results stay on the thread that knows them. */
  public static CallerContext none() {
    return new CallerContext(null);
  }

  /**
   * The context that this one was made of for a single request. It runs on the same event loop, so
   * one task there can hand out the results of many requests.
   */
  public CallerContext shared() {
    return context == null ? this : new CallerContext(((ContextInternal) context).unwrap());
  }

  /**
   * Has something done there later, in a turn of its own.
   *
   * @return false if there is no such context, or if it has gone
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

  /** Hands out a result; at once where the thread that knows it is the one of the context. */
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
