package io.github.bloomgate.rebuild;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Generation;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.rebuild.source.SourceReader;
import io.github.bloomgate.store.SourceStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a run's claim while it lives, and ends a run that lost it, that hangs or that takes too
 * long.
 */
final class RunWatch implements AutoCloseable {

  private static final long TICK_MILLIS = 500;
  private static final long RENEWAL_NANOS = SourceStore.LEASE.toNanos() / 6;

  private final SourceStore sources;
  private final FilterName name;
  private final String run;
  private final Duration idleTimeout;
  private final Duration runTimeout;
  private final long begun = System.nanoTime();
  private final ScheduledFuture<?> ticks;

  private long elements;
  private volatile long lastProgress = begun;
  private volatile long lastRenewal = begun;
  private volatile Optional<Generation> rebuild = Optional.empty();
  private volatile Optional<SourceReader> reader = Optional.empty();
  private volatile Optional<BloomException> ended = Optional.empty();

  RunWatch(
      ScheduledExecutorService timer,
      SourceStore sources,
      FilterName name,
      String run,
      Duration idleTimeout,
      Duration runTimeout) {
    this.sources = sources;
    this.name = name;
    this.run = run;
    this.idleTimeout = idleTimeout;
    this.runTimeout = runTimeout;
    this.ticks =
        timer.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * The generation the run loads from now on, recorded for the instance that may have to take the
   * run over.
   */
  void loads(Generation generation) {
    rebuild = Optional.of(generation);
    hold();
  }

  /** What the run reads from now on; it is closed when the run is ended. */
  void reads(SourceReader opened) {
    reader = Optional.of(opened);
  }

  /** The run has read so many elements more, and waits for nobody at this moment. */
  void progress(int read) {
    elements += read;
    lastProgress = System.nanoTime();
  }

  /** How many elements were read so far; for the thread of the run. */
  long elements() {
    return elements;
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

  private void tick() {
    var now = System.nanoTime();
    if (now - begun > runTimeout.toNanos()) {
      end(
          RebuildErrors.sourceUnreadable(
              "The run took longer than %d seconds, which is the limit of bloomgate.sources.run-timeout."
                  .formatted(runTimeout.toSeconds())));
    } else if (reader.isPresent() && now - lastProgress > idleTimeout.toNanos()) {
      end(
          RebuildErrors.sourceUnreadable(
              "The source paused for longer than %d seconds, which is the limit of bloomgate.sources.idle-timeout."
                  .formatted(idleTimeout.toSeconds())));
    } else if (now - lastRenewal > RENEWAL_NANOS) {
      lastRenewal = now;
      renew();
    }
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
