package io.github.bloomgate.filters;

import io.quarkus.runtime.ShutdownEvent;
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
  private volatile long timer;

  AbandonedWork(Settler settler) {
    this.settler = settler;
  }

  void start(@Observes StartupEvent started, Vertx vertx) {
    look();
    timer = vertx.setPeriodic(INTERVAL.toMillis(), ignored -> look());
  }

  /** The event loops outlive the beans: what comes due in between would find none. */
  void stop(@Observes ShutdownEvent stopped, Vertx vertx) {
    vertx.cancelTimer(timer);
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
