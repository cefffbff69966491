package io.github.bloomgate.http;

import io.vertx.core.http.HttpServerResponse;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A response body that fails when the client is gone. The framework's stream would accept bytes
 * that are never read, so a long response would be computed to its end.
 */
final class ClientStream extends FilterOutputStream {

  private final HttpServerResponse response;

  ClientStream(OutputStream out, HttpServerResponse response) {
    super(out);
    this.response = response;
  }

  @Override
  public void write(int value) throws IOException {
    checkOpen();
    out.write(value);
  }

  @Override
  public void write(byte[] bytes, int start, int length) throws IOException {
    checkOpen();
    out.write(bytes, start, length);
  }

  private void checkOpen() throws IOException {
    if (response.closed()) {
      throw new IOException("The client closed the connection");
    }
  }
}
