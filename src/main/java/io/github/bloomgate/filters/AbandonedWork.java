package io.github.bloomgate.filters;

import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.context.ApplicationScoped;
import org.jboss.logging.Logger;

/**
 * Looks at the start and every half minute for segments that somebody began to reconcile and left.
 */
@ApplicationScoped
class AbandonedWork {

  private static final Logger LOG = Logger.getLogger(AbandonedWork.class);

  private final Reconciler reconciler;

  AbandonedWork(Reconciler reconciler) {
    this.reconciler = reconciler;
  }

  @Scheduled(every = "30s", concurrentExecution = ConcurrentExecution.SKIP)
  void look() {
    try {
      reconciler.reconcileAbandoned();
    } catch (RuntimeException failure) {
      LOG.debugf("Could not look for abandoned work: %s", failure.getMessage());
    }
  }
}
