package io.github.bloomgate.http.connection;

import io.github.bloomgate.threads.Unsent;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MultivaluedMap;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A response as a stream. Waits, on a worker thread, while the client does not read; the deadlines
 * of the connection end this. The first write does not wait. Closing it ends the response. Not
 * thread-safe.
 */
public final class ResponseStream extends OutputStream {

  private static final int PIECE = 1 << 14;

  /** The most bytes that wait for the client; to be reserved before the work for the response. */
  public static final int MOST_UNDER_WAY = 1 << 16;

  private final HttpServerResponse response;
  private final MultivaluedMap<String, Object> headers;
  private final Unsent unsent = new Unsent(MOST_UNDER_WAY);

  /**
   * @param headers that the framework adds when it sends the head
   */
  public ResponseStream(RoutingContext context, MultivaluedMap<String, Object> headers) {
    this.response = context.response();
    this.headers = headers;
    Exchange.of(context).pace(MOST_UNDER_WAY);
    RequestEnd.then(context, unsent::end);
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int start, int length) throws IOException {
    for (var from = 0; from < length; from += PIECE) {
      writePiece(bytes, start + from, Math.min(PIECE, length - from));
    }
  }

  private void writePiece(byte[] bytes, int start, int length) throws IOException {
    unsent.awaitLess();
    requireClient();
    begin();
    unsent.begin(length);
    response
        .write(Buffer.buffer(length).appendBytes(bytes, start, length))
        .onComplete(done -> unsent.done(length));
  }

  private void begin() {
    if (response.headWritten()) {
      return;
    }
    var length = headers.getFirst(HttpHeaders.CONTENT_LENGTH);
    if (length == null) {
      response.setChunked(true);
    } else {
      response.putHeader(HttpHeaders.CONTENT_LENGTH, length.toString());
    }
  }

  private void requireClient() throws IOException {
    if (response.closed()) {
      throw new IOException("The client closed the connection");
    }
  }

  @Override
  public void close() throws IOException {
    if (!response.ended()) {
      requireClient();
      begin();
      response.end();
    }
  }
}
