package io.github.bloomgate.rebuild;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.rebuild.source.SourceReader;
import io.github.bloomgate.store.SourceStore;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Renews the claim of a run, and ends a run that lost its claim, hangs, takes too long, or has a
 * slow source while other runs are waiting.
 */
final class RunWatch implements AutoCloseable {

  private static final long TICK_MILLIS = 500;

  /** The least elements/s of a source when other runs are waiting. */
  private static final int ELEMENTS_A_SECOND = 1000;

  private static final long RENEWAL_NANOS = SourceStore.LEASE.toNanos() / 6;

  private final SourceStore sources;
  private final FilterName name;
  private final String run;
  private final BloomgateConfig.Sources settings;
  private final RunPlaces places;
  private final ScheduledFuture<?> ticks;

  private final AtomicLong elements = new AtomicLong();

  /** The time spent waiting for the source, without calls to Redis. */
  private final AtomicLong readNanos = new AtomicLong();

  private volatile long lastProgress = System.nanoTime();
  private volatile long lastRenewal = lastProgress;
  private volatile OptionalLong begun = OptionalLong.empty();
  private volatile String rebuild = "";
  private volatile Optional<SourceReader> reader = Optional.empty();
  private volatile Optional<BloomException> ended = Optional.empty();

  RunWatch(
      ScheduledExecutorService timer,
      SourceStore sources,
      Claim claim,
      BloomgateConfig.Sources settings,
      RunPlaces places) {
    this.sources = sources;
    this.name = claim.name();
    this.run = claim.id();
    this.settings = settings;
    this.places = places;
    this.ticks =
        timer.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Begins the time of the run; until then it waits for a thread. */
  void begin() {
    begun = OptionalLong.of(System.nanoTime());
  }

  /** The time since the run began; zero while it waits for a thread. */
  Duration time() {
    return begun.isPresent()
        ? Duration.ofNanos(System.nanoTime() - begun.getAsLong())
        : Duration.ZERO;
  }

  /** Records the generation that the run loads, for an instance that takes over the run. */
  void loads(String incarnation) {
    rebuild = incarnation;
    hold();
  }

  /** Sets the reader to close when the run is ended; fails if that has happened already. */
  void reads(SourceReader opened) {
    reader = Optional.of(opened);
    check();
  }

  /** Adds to the number of elements read, and marks the run as not waiting. */
  void progress(int read) {
    var now = System.nanoTime();
    if (read > 0) {
      elements.addAndGet(read);
      readNanos.addAndGet(now - lastProgress);
    }
    lastProgress = now;
  }

  long elements() {
    return elements.get();
  }

  /** Renews the claim for a whole lease. */
  void hold() {
    if (sources.renew(name, run, rebuild).isEmpty()) {
      throw RebuildErrors.runLost(name);
    }
  }

  void check() {
    ended.ifPresent(
        reason -> {
          throw reason;
        });
  }

  private void tick() {
    var now = System.nanoTime();
    if (time().compareTo(settings.runTimeout()) > 0) {
      end(
          RebuildErrors.sourceUnreadable(
              "The run took longer than %d seconds, the limit set by bloomgate.sources.run-timeout. Make the source smaller or faster, or raise the limit."
                  .formatted(settings.runTimeout().toSeconds())));
    } else if (reader.isPresent() && now - lastProgress > settings.idleTimeout().toNanos()) {
      end(
          RebuildErrors.sourceUnreadable(
              "The source paused for longer than %d seconds, the limit set by bloomgate.sources.idle-timeout. Check the source, or raise the limit."
                  .formatted(settings.idleTimeout().toSeconds())));
    } else if (isSlow(now) && places.makeRoom()) {
      end(
          RebuildErrors.sourceUnreadable(
              "The source sent %d elements in %d seconds, less than %d a second, while other runs were waiting. Make it faster, schedule it at another time, or raise bloomgate.sources.slow-timeout or bloomgate.sources.max-concurrent."
                  .formatted(
                      elements(), TimeUnit.NANOSECONDS.toSeconds(waited(now)), ELEMENTS_A_SECOND)));
    } else if (now - lastRenewal > RENEWAL_NANOS) {
      lastRenewal = now;
      renew();
    }
  }

  private boolean isSlow(long now) {
    var waited = waited(now);
    return waited > settings.slowTimeout().toNanos()
        && elements() < TimeUnit.NANOSECONDS.toSeconds(waited) * ELEMENTS_A_SECOND;
  }

  /** Includes the current read; if it is a call to Redis instead, that ends within seconds. */
  private long waited(long now) {
    return readNanos.get() + (reader.isPresent() ? now - lastProgress : 0);
  }

  private void renew() {
    try {
      if (sources.renew(name, run, rebuild).isEmpty()) {
        end(RebuildErrors.runLost(name));
      }
    } catch (RuntimeException failure) {
      // The lease lasts for several renewals, and the run itself fails if Redis is unavailable.
    }
  }

  private void end(BloomException reason) {
    if (ended.isEmpty()) {
      ended = Optional.of(reason);
      reader.ifPresent(SourceReader::close);
    }
  }

  @Override
  public void close() {
    ticks.cancel(false);
  }
}
