package io.github.bloomgate.service;

import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import org.jboss.logging.Logger;

/** Looks at the start and every half minute for segments that somebody began to settle and left. */
@ApplicationScoped
class AbandonedWork {

  private static final Logger LOG = Logger.getLogger(AbandonedWork.class);
  private static final Duration INTERVAL = Duration.ofSeconds(30);

  private final Settler settler;

  AbandonedWork(Settler settler) {
    this.settler = settler;
  }

  void start(@Observes StartupEvent started, Vertx vertx) {
    look();
    vertx.setPeriodic(INTERVAL.toMillis(), timer -> look());
  }

  private void look() {
    settler
        .settleAbandoned()
        .subscribe()
        .with(
            done -> {},
            failure -> LOG.debugf("Could not look for abandoned work: %s", failure.getMessage()));
  }
}
