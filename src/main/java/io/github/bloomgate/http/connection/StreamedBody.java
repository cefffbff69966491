package io.github.bloomgate.http.connection;

import io.github.bloomgate.threads.OwnContext;
import io.vertx.ext.web.RoutingContext;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;

/**
 * A body that is read as it arrives. If a client resets an HTTP/2 request, the framework first ends
 * the request, then reports the reset. A body opened in between would look empty, and reading one
 * would fail with an exception that looks like a defect.
 */
public final class StreamedBody extends FilterInputStream {

  private StreamedBody(InputStream body) {
    super(body);
  }

  /** Opens the body of a request. The request does not continue if its client has reset it. */
  public static void open(RoutingContext context, ResteasyReactiveRequestContext request) {
    request.setInputStream(new StreamedBody(request.getInputStream()));
    if (context.request().isEnded()) {
      request.suspend();
      // Runs when the event loop has reported the reset.
      OwnContext.current()
          .run(
              () -> {
                if (!context.response().closed()) {
                  request.resume();
                }
              });
    }
  }

  @Override
  public int read() throws IOException {
    try {
      return super.read();
    } catch (IllegalStateException reset) {
      throw reset(reset);
    }
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    try {
      return super.read(bytes, offset, length);
    } catch (IllegalStateException reset) {
      throw reset(reset);
    }
  }

  private static IOException reset(IllegalStateException cause) {
    return new IOException("The client reset the request", cause);
  }
}
