package io.github.bloomgate.filters;

import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.jboss.logging.Logger;

/** Looks at the start and every half minute for segments that somebody began to settle and left. */
@ApplicationScoped
class AbandonedWork {

  private static final Logger LOG = Logger.getLogger(AbandonedWork.class);

  private final Settler settler;

  AbandonedWork(Settler settler) {
    this.settler = settler;
  }

  @Scheduled(every = "30s", concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> look() {
    return settler
        .settleAbandoned()
        .onFailure()
        .invoke(
            failure -> LOG.debugf("Could not look for abandoned work: %s", failure.getMessage()))
        .onFailure()
        .recoverWithNull();
  }
}
