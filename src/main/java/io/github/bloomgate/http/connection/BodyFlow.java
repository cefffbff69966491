package io.github.bloomgate.http.connection;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;

/**
 * Receives a body only while something reads it, so that it does not fill the heap.
 *
 * <p>Before that a request may wait for memory or for a thread. HTTP/2 has flow control for this.
 * Over HTTP/1.1 the connection is paused, because the framework would buffer half a megabyte.
 *
 * <p>After the response the rest of the body is received and dropped. Some clients send everything
 * before they read, and closing the connection would reset it, so that they would lose the
 * response. The framework's input stream would keep the unread rest in memory.
 */
public final class BodyFlow {

  /** The most bytes received before the connection is paused. */
  private static final int SHORT = 1 << 16;

  private BodyFlow() {}

  /** Pauses the connection of a request with a possibly long body. */
  public static void hold(RoutingContext context) {
    var request = context.request();
    var isHeld = isHeld(context);
    var connection = (ConnectionBase) request.connection();
    ReadSize.set(connection.channel(), isHeld);
    if (isHeld) {
      connection.doPause();
    }
    if (!request.isEnded()) {
      context.addEndHandler(
          end -> {
            request.handler(null);
            receive(context);
          });
    }
  }

  private static boolean isHeld(RoutingContext context) {
    var request = context.request();
    if (request.version() == HttpVersion.HTTP_2) {
      return false;
    }
    var length = BodyLimit.declaredLength(context);
    return length.isEmpty()
        ? request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
        : length.getAsLong() > SHORT;
  }

  /** Resumes receiving when the body is read. Thread-safe. */
  public static void receive(RoutingContext context) {
    if (isHeld(context)) {
      var connection = (ConnectionBase) context.request().connection();
      connection.channel().eventLoop().execute(connection::doResume);
    }
  }

  /** Pauses receiving until the next {@link #receive}. Thread-safe. */
  static void pause(RoutingContext context) {
    if (isHeld(context)) {
      var connection = (ConnectionBase) context.request().connection();
      // Later, because the framework may now be passing on the last part of what it has buffered,
      // after which it resumes the connection.
      connection.channel().eventLoop().execute(connection::doPause);
    }
  }
}
