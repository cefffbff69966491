package io.github.bloomgate.elements;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.store.SegmentStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * The rounds of this instance, on an event loop. Folds quiet segments, and all segments at
 * shutdown.
 */
@Singleton
class ElementRounds {

  private static final Logger LOG = Logger.getLogger(ElementRounds.class);
  private static final Duration AT_THE_END = Duration.ofSeconds(5);

  private final Rounds rounds;

  ElementRounds(SegmentStore store, BloomgateConfig config, Vertx vertx, MeterRegistry metrics) {
    var loop = ((VertxInternal) vertx).createEventLoopContext();
    this.rounds =
        new Rounds(
            store,
            config.memory().copies().asLongValue(),
            metrics,
            work -> loop.runOnContext(ignored -> work.run()));
    Gauge.builder("bloom.copies.bytes", rounds, Rounds::copiesBytes)
        .description("Bytes of segment copies in memory.")
        .baseUnit("bytes")
        .register(metrics);
  }

  @Produces
  @Singleton
  Rounds rounds() {
    return rounds;
  }

  @Scheduled(every = "1s")
  void rest() {
    rounds.rest();
  }

  /** Before the connection to Redis is closed. */
  void stop(@Observes @Priority(1) ShutdownEvent stopping) {
    try {
      await(rounds.restAll().ifNoItem().after(AT_THE_END).fail());
    } catch (RuntimeException late) {
      LOG.debugf("Journals were not folded: %s", late.getMessage());
    }
  }
}
