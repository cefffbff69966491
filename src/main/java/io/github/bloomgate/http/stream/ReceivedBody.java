package io.github.bloomgate.http.stream;

import io.github.bloomgate.http.connection.BodyFlow;
import io.vertx.ext.web.RoutingContext;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body that is received from the first read. */
final class ReceivedBody extends FilterInputStream {

  private final RoutingContext context;
  private boolean comes;

  ReceivedBody(InputStream in, RoutingContext context) {
    super(in);
    this.context = context;
  }

  @Override
  public int read() throws IOException {
    receive();
    return in.read();
  }

  @Override
  public int read(byte[] to, int start, int count) throws IOException {
    receive();
    return in.read(to, start, count);
  }

  private void receive() {
    if (!comes) {
      comes = true;
      BodyFlow.receive(context);
    }
  }
}
