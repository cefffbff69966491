package io.github.bloomgate.http.door;

import io.github.bloomgate.follow.Followers;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Refuses requests after shutdown has begun. The framework waits until all requests are answered
 * and then closes connections, even if further requests have arrived, which would run without a
 * response.
 */
@Singleton
public class ShutdownGate {

  /** Health and metrics are served until the end. */
  private static final String NOT_THE_API = "/q/";

  /** Must be earlier than the framework's wait. */
  private static final Duration AHEAD = Duration.ofMillis(100);

  private final Duration delay;
  private final Followers followers;
  private volatile boolean leaving;

  ShutdownGate(
      @ConfigProperty(name = "quarkus.shutdown.delay") Optional<Duration> delay,
      Followers followers) {
    this.delay = delay.orElse(Duration.ZERO);
    this.followers = followers;
  }

  void begin(@Observes ShutdownDelayInitiatedEvent event, Vertx vertx) {
    var rest = delay.minus(AHEAD).toMillis();
    if (rest <= 0) {
      refuse(true);
    } else {
      vertx.setTimer(rest, ignored -> refuse(true));
    }
  }

  public void refuse(boolean all) {
    leaving = all;
    followers.refuse(all ? Optional.of(refusal()) : Optional.empty());
  }

  void requireOpen(RoutingContext context) {
    if (leaving && !context.normalizedPath().startsWith(NOT_THE_API)) {
      throw refusal();
    }
  }

  private static BloomException refusal() {
    return BloomException.of(
        ErrorCode.SHUTTING_DOWN,
        "This instance is shutting down and accepts no more requests. Nothing was done. Repeat the request on a new connection, which reaches another instance, or this one once it is back.");
  }
}
