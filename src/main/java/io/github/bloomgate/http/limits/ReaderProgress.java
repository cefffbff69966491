package io.github.bloomgate.http.limits;

import io.vertx.core.http.HttpServerResponse;

/**
 * Detects whether the client still reads a response. The idle time of the connection is not enough,
 * because a client can send a byte now and then, or an HTTP/2 PING. Not thread-safe.
 */
final class ReaderProgress {

  private long written;
  private long since = System.nanoTime();

  /** Whether the client has read nothing for too long; to be called periodically. */
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
      // Just closed by another thread.
      return false;
    }
  }
}
