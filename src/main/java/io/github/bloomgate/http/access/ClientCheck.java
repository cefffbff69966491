package io.github.bloomgate.http.access;

import io.github.bloomgate.http.security.ClientRules;
import io.github.bloomgate.model.error.BloomException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.Set;

/** Refuses clients that may not use the service at all, before any other work. */
@Singleton
public class ClientCheck {

  private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
  private static final CharSequence CONTENT_TYPE_OPTIONS =
      HttpHeaders.createOptimized("X-Content-Type-Options");
  private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");

  /**
   * Open to all clients, because monitoring usually runs on another machine. Exact paths, as sent.
   */
  private static final Set<String> HEALTH =
      Set.of("/q/health", "/q/health/live", "/q/health/ready", "/q/health/started");

  private final ClientRules rules;
  private final RefusalMeters meters;

  ClientCheck(ClientRules rules, RefusalMeters meters) {
    this.rules = rules;
    this.meters = meters;
  }

  /** The refusal of a client; empty if it is allowed. */
  public Optional<BloomException> refusal(RoutingContext context) {
    // Responses change with every add and reveal elements, so proxies and browsers must not store
    // them. Pages override this. A browser must not render elements as a page.
    context
        .response()
        .putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE)
        .putHeader(CONTENT_TYPE_OPTIONS, NOSNIFF);
    var refusal = rules.refusal(context.request());
    if (refusal.isEmpty() || HEALTH.contains(context.request().path())) {
      return Optional.empty();
    }
    meters.count(RefusalMeters.Reason.CLIENT);
    return refusal;
  }
}
