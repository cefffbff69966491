package io.github.bloomgate.http.limits;

import io.vertx.core.http.HttpServerResponse;

/**
 * Sees whether the client of a response still reads it. That the connection is not idle does not
 * show it: a client can send a byte now and then, or an HTTP/2 PING. For one thread.
 */
final class ReaderProgress {

  private long written;
  private long since = System.nanoTime();

  /** Whether the client has read nothing for longer than it may; to be asked now and then. */
  boolean isStuck(HttpServerResponse response, long readNanos) {
    var now = System.nanoTime();
    var all = response.bytesWritten();
    if (all != written || !isFull(response)) {
      written = all;
      since = now;
    }
    return now - since > readNanos;
  }

  private static boolean isFull(HttpServerResponse response) {
    try {
      return !response.ended() && response.writeQueueFull();
    } catch (IllegalStateException ended) {
      // On another thread, a moment ago.
      return false;
    }
  }
}
