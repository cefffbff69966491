package io.github.bloomgate.rebuild;

import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.jboss.logging.Logger;

/** Looks every few seconds for sources that are due. */
@ApplicationScoped
class DueSources {

  private static final Logger LOG = Logger.getLogger(DueSources.class);

  private final SourceRuns runs;

  DueSources(SourceRuns runs) {
    this.runs = runs;
  }

  @Scheduled(every = "5s", concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> look() {
    return runs.startDue()
        .onFailure()
        .invoke(failure -> LOG.debugf("Could not look for due sources: %s", failure.getMessage()))
        .onFailure()
        .recoverWithNull();
  }
}
