package io.github.bloomgate.rebuild;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.rebuild.source.SourceReader;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps a run's claim while it lives, and ends a run that lost it, that hangs, that takes too long,
 * or whose source is slow while other runs wait.
 */
final class RunWatch implements AutoCloseable {

  private static final long TICK_MILLIS = 500;

  /** What a source must give at least, once its run has had its time and other runs wait. */
  private static final int ELEMENTS_A_SECOND = 1000;

  private static final long RENEWAL_NANOS = AttachedSources.LEASE.toNanos() / 6;

  private final AttachedSources sources;
  private final FilterName name;
  private final String run;
  private final BloomgateConfig.Sources settings;
  private final RunPlaces places;
  private final long begun = System.nanoTime();
  private final ScheduledFuture<?> ticks;

  private final AtomicLong elements = new AtomicLong();

  /** How long the run has waited for its source, without its calls to Redis. */
  private final AtomicLong readNanos = new AtomicLong();

  private volatile long lastProgress = begun;
  private volatile long lastRenewal = begun;
  private volatile String rebuild = "";
  private volatile Optional<SourceReader> reader = Optional.empty();
  private volatile Optional<BloomException> ended = Optional.empty();

  RunWatch(
      ScheduledExecutorService timer,
      AttachedSources sources,
      AttachedSources.Claim claim,
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

  /**
   * The generation the run loads from now on, recorded for the instance that may have to take the
   * run over.
   */
  void loads(String incarnation) {
    rebuild = incarnation;
    hold();
  }

  /** What the run reads from now on; it is closed when the run is ended. */
  void reads(SourceReader opened) {
    reader = Optional.of(opened);
  }

  /** The run has read so many elements more, and waits for nobody at this moment. */
  void progress(int read) {
    var now = System.nanoTime();
    if (read > 0) {
      elements.addAndGet(read);
      readNanos.addAndGet(now - lastProgress);
    }
    lastProgress = now;
  }

  /** How many elements were read so far. */
  long elements() {
    return elements.get();
  }

  /** Makes sure that the claim is held, for its whole lease from now on. */
  void hold() {
    if (sources.renew(name, run, rebuild).isEmpty()) {
      throw RebuildErrors.runLost(name);
    }
  }

  /** Fails if the run was ended. */
  void check() {
    ended.ifPresent(
        reason -> {
          throw reason;
        });
  }

  /** Whether the service stops, so that another instance goes on with the run. */
  boolean isStopped() {
    return places.isStopped();
  }

  private void tick() {
    var now = System.nanoTime();
    if (now - begun > settings.runTimeout().toNanos()) {
      end(
          RebuildErrors.sourceUnreadable(
              "The run took longer than %d seconds, which is the limit of bloomgate.sources.run-timeout."
                  .formatted(settings.runTimeout().toSeconds())));
    } else if (reader.isPresent() && now - lastProgress > settings.idleTimeout().toNanos()) {
      end(
          RebuildErrors.sourceUnreadable(
              "The source paused for longer than %d seconds, which is the limit of bloomgate.sources.idle-timeout."
                  .formatted(settings.idleTimeout().toSeconds())));
    } else if (isSlow(now) && places.makeRoom()) {
      end(
          RebuildErrors.sourceUnreadable(
              "The source gave %d elements in %d seconds, fewer than %d a second, and other runs waited for its place. Make it faster, run it when no other does, or raise bloomgate.sources.slow-timeout or bloomgate.sources.max-concurrent."
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

  /** A read that is under way counts too; a call to Redis in its place ends in seconds. */
  private long waited(long now) {
    return readNanos.get() + (reader.isPresent() ? now - lastProgress : 0);
  }

  private void renew() {
    try {
      if (sources.renew(name, run, rebuild).isEmpty()) {
        end(RebuildErrors.runLost(name));
      }
    } catch (RuntimeException failure) {
      // The lease outlasts several of these; the run itself fails if Redis is away.
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
