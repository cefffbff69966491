package io.github.bloomgate.http.stream;

import io.github.bloomgate.http.connection.Exchange;
import io.github.bloomgate.threads.OwnContext;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.HttpHeaders;
import java.io.IOException;
import java.util.concurrent.Executor;

/**
 * A response with kept results. Takes no thread while the client does not read; the deadlines of
 * the connection end this.
 */
final class KeptResponse {

  private static final int PIECE = 1 << 15;

  /** More than a connection accepts unsent, so that its deadlines see that nothing is read. */
  static final int MOST_UNDER_WAY = 1 << 16;

  private final RoutingContext context;
  private final HttpServerResponse response;
  private final BreakableResponses responses;
  private final Executor workers = OwnContext.workers();
  private final KeptResults results;

  /** The bytes that have not been read from the results. */
  private long left;

  /** The bytes that have been written and not been sent. */
  private long underWay;

  private boolean isSending = true;

  KeptResponse(
      RoutingContext context, KeptResults results, long length, BreakableResponses responses) {
    this.context = context;
    this.response = context.response();
    this.results = results;
    this.left = length;
    this.responses = responses;
  }

  void begin() {
    Exchange.of(context).pace(MOST_UNDER_WAY);
    send();
  }

  /** Sends until enough is under way. Blocks only to read the file. */
  private void send() {
    try {
      do {
        var piece = results.next(PIECE);
        if (!response.headWritten()) {
          response.putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(left));
        }
        left -= piece.length;
        if (response.closed()) {
          return;
        }
        write(piece);
      } while (goesOn());
    } catch (IOException | RuntimeException | Error failure) {
      responses.abort(context, failure);
    }
  }

  /** Without the lock, because the end of a response has locks of its own. */
  private void write(byte[] piece) {
    var bytes = Buffer.buffer(piece);
    if (left == 0) {
      var unused = response.end(bytes);
      return;
    }
    beginPiece(piece.length);
    response.write(bytes).onComplete(sent -> endPiece(piece.length, sent.succeeded()));
  }

  private synchronized void beginPiece(int bytes) {
    underWay += bytes;
  }

  private synchronized boolean goesOn() {
    isSending = left > 0 && underWay < MOST_UNDER_WAY;
    return isSending;
  }

  private void endPiece(int bytes, boolean isSent) {
    synchronized (this) {
      underWay -= bytes;
      if (isSending || left == 0 || !isSent) {
        return;
      }
      isSending = true;
    }
    workers.execute(this::send);
  }
}
