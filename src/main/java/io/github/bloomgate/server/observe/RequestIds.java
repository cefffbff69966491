package io.github.bloomgate.server.observe;

import io.github.bloomgate.http.order.RequestOrder;
import io.netty.util.AsciiString;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.MDC;

/**
 * Gives every request an id, which is in a response header and in the request's log lines. A client
 * or a proxy may choose it. Thread-safe.
 */
@Singleton
final class RequestIds {

  /** The name of the id in log formats. */
  static final String FIELD = "requestId";

  private static final CharSequence HEADER = AsciiString.cached("X-Request-Id");

  private static final int MAX_LENGTH = 128;

  /** Makes ids unique across instances and restarts. */
  private final String start;

  private final AtomicLong count = new AtomicLong();

  RequestIds() {
    var random = new byte[6];
    new SecureRandom().nextBytes(random);
    start = HexFormat.of().formatHex(random) + "-";
  }

  void register(@Observes Filters filters) {
    filters.register(this::identify, RequestOrder.REQUEST_ID);
  }

  private void identify(RoutingContext context) {
    var given = context.request().getHeader(HEADER);
    var id = given != null && isSane(given) ? given : start + count.incrementAndGet();
    context.response().putHeader(HEADER, id);
    // Stored with the request, not the thread, so it does not have to be removed.
    MDC.put(FIELD, id);
    context.next();
  }

  /** Whether an id cannot break a log line or fill the log. */
  static boolean isSane(String id) {
    if (id.isEmpty() || id.length() > MAX_LENGTH) {
      return false;
    }
    for (var i = 0; i < id.length(); i++) {
      var c = id.charAt(i);
      var isSafe =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || "-_.:/+=@~".indexOf(c) >= 0;
      if (!isSafe) {
        return false;
      }
    }
    return true;
  }
}
