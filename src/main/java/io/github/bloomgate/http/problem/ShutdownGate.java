package io.github.bloomgate.http.problem;

import io.github.bloomgate.http.order.RequestOrder;
import io.github.bloomgate.model.error.RequestErrors;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Refuses what comes after the service was told to end. The framework waits until all requests are
 * answered, and then closes connections whatever came meanwhile: a request would be carried out
 * without an answer.
 */
@Singleton
public class ShutdownGate {

  /** Health and metrics are asked for to the end. */
  private static final String NOT_THE_API = "/q/";

  /** Rather too early than after the framework has begun to wait. */
  private static final Duration AHEAD = Duration.ofMillis(100);

  private final Duration delay;
  private final ProblemWriter problems;
  private volatile boolean leaving;

  ShutdownGate(
      @ConfigProperty(name = "quarkus.shutdown.delay") Optional<Duration> delay,
      ProblemWriter problems) {
    this.delay = delay.orElse(Duration.ZERO);
    this.problems = problems;
  }

  void register(@Observes Filters filters) {
    filters.register(this::check, RequestOrder.DEPARTURE);
  }

  void begin(@Observes ShutdownDelayInitiatedEvent told, Vertx vertx) {
    var rest = delay.minus(AHEAD).toMillis();
    if (rest <= 0) {
      refuse(true);
    } else {
      vertx.setTimer(rest, ignored -> refuse(true));
    }
  }

  /** Whether requests are refused from now on. */
  public void refuse(boolean all) {
    leaving = all;
  }

  private void check(RoutingContext context) {
    var path = context.request().path();
    if (!leaving || (path != null && path.startsWith(NOT_THE_API))) {
      context.next();
      return;
    }
    problems.answer(context.response(), RequestErrors.shuttingDown());
  }
}
