package io.github.bloomgate.rebuild;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import org.jboss.logging.Logger;

/** Looks every few seconds for sources that are due. */
@ApplicationScoped
class DueSources {

  private static final Logger LOG = Logger.getLogger(DueSources.class);
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private final SourceRuns runs;
  private volatile long timer;

  DueSources(SourceRuns runs) {
    this.runs = runs;
  }

  void start(@Observes StartupEvent started, Vertx vertx) {
    timer = vertx.setPeriodic(INTERVAL.toMillis(), ignored -> look());
  }

  /** The event loops outlive the beans: what comes due in between would find none. */
  void stop(@Observes ShutdownEvent stopped, Vertx vertx) {
    vertx.cancelTimer(timer);
  }

  private void look() {
    runs.startDue()
        .subscribe()
        .with(
            done -> {},
            failure -> LOG.debugf("Could not look for due sources: %s", failure.getMessage()));
  }
}
