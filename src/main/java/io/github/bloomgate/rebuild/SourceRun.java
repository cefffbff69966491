package io.github.bloomgate.rebuild;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.source.LastRun;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.model.source.SourceStatus;
import io.github.bloomgate.rebuild.source.SourceReader;
import io.github.bloomgate.store.ClaimReply.Claimed;
import io.github.bloomgate.store.EndedRun;
import io.github.bloomgate.store.SourceStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A run of a source, which this instance has claimed: how far it is, and why it must end, if it
 * must. One thread performs it, while {@link RunWatch} looks at it from another.
 */
final class SourceRun {

  private static final long RENEWAL_NANOS = SourceStore.LEASE.toNanos() / 6;

  private final SourceStore store;
  private final FilterName name;
  private final String id;
  private final Instant claimedAt;

  /** The source before the claim, including a run that was interrupted. */
  private final SourceStatus before;

  private final AtomicLong elements = new AtomicLong();

  /** The time spent waiting for the source, without calls to Redis. */
  private final AtomicLong readNanos = new AtomicLong();

  private volatile long lastProgress = System.nanoTime();
  private volatile long lastRenewal = lastProgress;
  private volatile OptionalLong begun = OptionalLong.empty();
  private volatile Optional<SourceReader> reader = Optional.empty();
  private volatile Optional<BloomException> ended = Optional.empty();
  private volatile boolean isStopped;
  private boolean isGivenBack;

  /**
   * Reads the source.
   *
   * @throws BloomException FILTER_DAMAGED
   */
  SourceRun(SourceStore store, FilterName name, String id, Claimed claimed) {
    this.store = store;
    this.name = name;
    this.id = id;
    this.claimedAt = claimed.now();
    this.before = SourceStore.read(name, claimed.before());
  }

  FilterName name() {
    return name;
  }

  String id() {
    return id;
  }

  Origin origin() {
    return before.source().origin();
  }

  /** The least number of elements with which it may replace the filter. */
  long minElements() {
    return before.source().minElements(before.elementsBefore());
  }

  /** The number of instances that have died during the run. */
  int attempts() {
    return before.run().map(SourceStatus.Run::attempt).orElse(0);
  }

  /** The generation that it has begun to load before it was interrupted. */
  Optional<String> begunRebuild() {
    return before.run().flatMap(SourceStatus.Run::rebuild);
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

  /** The elements that this instance has read. */
  long elements() {
    return elements.get();
  }

  /** The time since the last progress; zero before the source is open. */
  Duration pause() {
    return reader.isPresent() ? Duration.ofNanos(System.nanoTime() - lastProgress) : Duration.ZERO;
  }

  /**
   * The time spent waiting for the source. Includes the current read; if it is a call to Redis
   * instead, that ends within seconds.
   */
  Duration waited() {
    return pause().plusNanos(readNanos.get());
  }

  /** Renews the claim for a whole lease, and returns the time in Redis. */
  Instant hold() {
    return renew().orElseThrow(() -> RebuildErrors.runLost(name));
  }

  /** Renews the claim; returns the time in Redis, or empty if the run has lost it. */
  synchronized Optional<Instant> renew() {
    return isGivenBack ? Optional.empty() : store.renew(name, id);
  }

  /** Renews the claim if that is due, and ends the run if it has lost it. */
  void renewInTime() {
    var now = System.nanoTime();
    if (now - lastRenewal > RENEWAL_NANOS) {
      lastRenewal = now;
      try {
        if (renew().isEmpty()) {
          end(RebuildErrors.runLost(name));
        }
      } catch (RuntimeException failure) {
        // The lease lasts for several renewals, and the run itself fails if Redis is unavailable.
      }
    }
  }

  /** Lets another instance continue the run at once; returns the time in Redis. */
  synchronized Optional<Instant> giveBack() {
    isGivenBack = true;
    return store.giveBack(name, id, attempts());
  }

  /** Ends the run because this instance stops. */
  void stop() {
    isStopped = true;
    end(RebuildErrors.runStopped(name));
  }

  boolean isStopped() {
    return isStopped;
  }

  /** Ends the run, unless it has a reason to end already. */
  void end(BloomException reason) {
    if (ended.isEmpty()) {
      ended = Optional.of(reason);
      reader.ifPresent(SourceReader::close);
    }
  }

  /** Fails with the reason if the run must end. */
  void check() {
    ended.ifPresent(
        reason -> {
          throw reason;
        });
  }

  /**
   * The run, at its end.
   *
   * @param at the time in Redis
   */
  EndedRun ended(Instant at, Optional<BloomException> failure) {
    // The clock of Redis may have been set back.
    var startedAt = claimedAt.isAfter(at) ? at : claimedAt;
    var reason = failure.map(its -> new LastRun.Failure(its.code().name(), its.getMessage()));
    return new EndedRun(
        id,
        new LastRun(startedAt, at, elements(), reason),
        before.source().schedule().next(startedAt, at));
  }
}
