package io.github.bloomgate.elements;

import static io.github.bloomgate.threads.Await.await;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Looks every second for segments that nobody changes any more, so that their bitmaps in Redis are
 * whole; and at the end for all.
 */
@ApplicationScoped
class QuietSegments {

  private static final Logger LOG = Logger.getLogger(QuietSegments.class);
  private static final Duration AT_THE_END = Duration.ofSeconds(5);

  private final SegmentJournals journals;

  QuietSegments(SegmentJournals journals) {
    this.journals = journals;
  }

  void stop(@Observes ShutdownEvent stopped) {
    try {
      await(journals.rest(Duration.ZERO, Duration.ZERO).ifNoItem().after(AT_THE_END).fail());
    } catch (RuntimeException e) {
      LOG.debugf("Journals stay as they are: %s", e.getMessage());
    }
  }

  /** Where Redis is slow one look may take longer than until the next. */
  @Scheduled(every = "1s", concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> look() {
    return journals
        .rest(SegmentJournals.QUIET, SegmentJournals.AT_REST)
        .onFailure()
        .invoke(failure -> LOG.debugf("Journals stay: %s", failure.getMessage()))
        .onFailure()
        .recoverWithNull();
  }
}
