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
 * Gives every request an id, which is answered in a header and stands in each log line that is
 * written on its behalf. A client, or the proxy before the service, may choose it. Thread-safe.
 */
@Singleton
final class RequestIds {

  /** The name under which log formats find the id. */
  static final String FIELD = "requestId";

  private static final CharSequence HEADER = AsciiString.cached("X-Request-Id");

  private static final int MAX_LENGTH = 128;

  /** Tells the ids of one instance, and of one run of it, from those of others. */
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
    // Kept with the request, not the thread, so it need not be taken away.
    MDC.put(FIELD, id);
    context.next();
  }

  /** What can neither break a log line nor fill the log. */
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
