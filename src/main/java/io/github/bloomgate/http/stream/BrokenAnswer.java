package io.github.bloomgate.http.stream;

import io.netty.handler.codec.http2.Http2Error;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;

/** Ends a response that cannot be completed after its head was sent. */
public final class BrokenAnswer {

  private BrokenAnswer() {}

  /**
   * Aborts a response, so that the client does not mistake it for a complete one. Blocks until
   * done, because a later write would end the response normally.
   */
  public static void end(RoutingContext context) {
    if (context.request().version() == HttpVersion.HTTP_2) {
      context.response().reset(Http2Error.INTERNAL_ERROR.code());
    } else {
      // The end of a reset HTTP/1 response is never reported, so the framework would wait for it at
      // shutdown.
      context.request().connection().close().toCompletionStage().toCompletableFuture().join();
    }
  }
}
