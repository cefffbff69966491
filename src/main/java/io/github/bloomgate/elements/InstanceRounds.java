package io.github.bloomgate.elements;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.filters.UnfoldedSegments;
import io.github.bloomgate.memory.DirectMemory;
import io.github.bloomgate.redis.RedisLink;
import io.github.bloomgate.store.SegmentStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.Startup;
import io.vertx.core.Vertx;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * The rounds of this instance, on the event loop of the link. Folds quiet segments, and all
 * segments at shutdown.
 */
@Singleton
@Startup
class InstanceRounds {

  private static final Logger LOG = Logger.getLogger(InstanceRounds.class);
  private static final Duration AT_THE_END = Duration.ofSeconds(5);
  private static final long REST_MILLIS = 1_000;

  private final Vertx vertx;
  private final Rounds rounds;
  private final long resting;

  InstanceRounds(
      SegmentStore store,
      RedisLink link,
      UnfoldedSegments unfolded,
      BloomgateConfig config,
      MeterRegistry metrics) {
    var loop = link.loop();
    this.vertx = loop.owner();
    this.rounds =
        new Rounds(
            store,
            DirectMemory.forCopies(config.memory().copies()),
            unfolded,
            metrics,
            work -> loop.runOnContext(ignored -> work.run()));
    Gauge.builder("bloom.copies.bytes", rounds, Rounds::copiesBytes)
        .description("Bytes of segment copies in memory.")
        .baseUnit("bytes")
        .register(metrics);
    // The scheduler may call a method once more after the application has ended.
    this.resting = loop.setPeriodic(REST_MILLIS, timer -> rounds.rest());
  }

  @Produces
  @Singleton
  Rounds rounds() {
    return rounds;
  }

  /** Before the connection to Redis is closed. */
  void stop(@Observes @Priority(1) ShutdownEvent stopping) {
    vertx.cancelTimer(resting);
    try {
      await(rounds.restAll().subscribeAsCompletionStage(), AT_THE_END);
    } catch (RuntimeException late) {
      LOG.debugf("Journals were not folded: %s", late.getMessage());
    }
  }
}
