package io.github.bloomgate.http.stream;

import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;

/** How an answer ends whose head is sent and whose rest will not come. */
public final class BrokenAnswer {

  private BrokenAnswer() {}

  /**
   * Breaks an answer off, so that nobody takes what has come for the whole. Returns when it is
   * done: what is written behind it would end the answer as if all were well. To be called on a
   * thread that may wait.
   */
  public static void end(RoutingContext context) {
    if (context.request().version() == HttpVersion.HTTP_2) {
      context.response().reset();
    } else {
      // A response of HTTP/1 that is reset is never told to be over: the framework would wait for
      // it
      // when the service is stopped.
      context.request().connection().close().toCompletionStage().toCompletableFuture().join();
    }
  }
}
