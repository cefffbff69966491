package io.github.bloomgate.http.connection;

import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CompletableFuture;

/**
 * The end of a request, for work on another thread than its event loop. The framework does not call
 * a handler that is added while it reports the end, and a client that has gone is not yet marked as
 * gone then. So its only handler is added before the request leaves the event loop.
 */
public final class RequestEnd {

  private static final String KEY = RequestEnd.class.getName();

  private RequestEnd() {}

  /** Begins to watch for the end, on the event loop. */
  public static void watch(RoutingContext context) {
    var ended = new CompletableFuture<Void>();
    context.put(KEY, ended);
    context.addEndHandler(end -> ended.complete(null));
    // If the client has already disconnected, no handler is called.
    if (context.response().closed()) {
      ended.complete(null);
    }
  }

  /**
   * Runs an action when the response has ended or the client has gone, at once if that was before.
   *
   * @param action must not throw; runs on any thread
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the action does not throw
  public static void then(RoutingContext context, Runnable action) {
    CompletableFuture<Void> ended = context.get(KEY);
    ended.thenRun(action);
  }
}
