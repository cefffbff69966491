package io.github.bloomgate.http.access;

import io.github.bloomgate.http.security.ClientRules;
import io.github.bloomgate.model.error.BloomException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.Set;

/** Refuses clients that are not answered at all, before anything else is done for them. */
@Singleton
public class ClientCheck {

  private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
  private static final CharSequence CONTENT_TYPE_OPTIONS =
      HttpHeaders.createOptimized("X-Content-Type-Options");
  private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");

  /**
   * Open to everybody: what watches the service is seldom on its machine. Whole paths, as they are
   * sent; one that only leads here is not meant.
   */
  private static final Set<String> HEALTH =
      Set.of("/q/health", "/q/health/live", "/q/health/ready", "/q/health/started");

  private final ClientRules rules;
  private final RefusalMeters meters;

  ClientCheck(ClientRules rules, RefusalMeters meters) {
    this.rules = rules;
    this.meters = meters;
  }

  /** Why a client is not answered; empty if it is. */
  public Optional<BloomException> refusal(RoutingContext context) {
    // Answers change with every add, and tell of elements: no proxy and no browser keeps one.
    // Pages replace this by what is right for them. A browser must not take elements for a page.
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
