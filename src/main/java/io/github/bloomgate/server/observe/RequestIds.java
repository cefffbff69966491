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
import java.util.regex.Pattern;
import org.jboss.logging.MDC;

/**
 * Gives every request an id, which is in a response header and in the request's log lines. A client
 * or a proxy may choose it. Thread-safe.
 */
@Singleton
final class RequestIds {

  /** The name of the id in log formats. */
  private static final String FIELD = "requestId";

  private static final CharSequence HEADER = AsciiString.cached("X-Request-Id");

  /** Cannot break a log line or fill the log. */
  private static final Pattern SANE = Pattern.compile("[A-Za-z0-9_.:/+=@~-]{1,128}");

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

  static boolean isSane(String id) {
    return SANE.matcher(id).matches();
  }
}
