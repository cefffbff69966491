package io.github.bloomgate.elements;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Looks every second for segments that nobody changes any more, so that their bitmaps in Redis are
 * whole; and at the end for all.
 */
@ApplicationScoped
class QuietSegments {

  private static final Logger LOG = Logger.getLogger(QuietSegments.class);
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final Duration AT_THE_END = Duration.ofSeconds(5);

  private final SegmentJournals journals;
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile long timer;

  QuietSegments(SegmentJournals journals) {
    this.journals = journals;
  }

  void start(@Observes StartupEvent started, Vertx vertx) {
    timer = vertx.setPeriodic(INTERVAL.toMillis(), ignored -> look());
  }

  /** The event loops outlive the beans: what comes due in between would find none. */
  void stop(@Observes ShutdownEvent stopped, Vertx vertx) {
    vertx.cancelTimer(timer);
    try {
      journals.rest(Duration.ZERO, Duration.ZERO).await().atMost(AT_THE_END);
    } catch (RuntimeException e) {
      LOG.debugf("Journals stay as they are: %s", e.getMessage());
    }
  }

  /** Where Redis is slow one look may take longer than until the next. */
  private void look() {
    if (!looking.compareAndSet(false, true)) {
      return;
    }
    journals
        .rest(SegmentJournals.QUIET, SegmentJournals.AT_REST)
        .onTermination()
        .invoke(() -> looking.set(false))
        .subscribe()
        .with(done -> {}, failure -> LOG.debugf("Journals stay: %s", failure.getMessage()));
  }
}
