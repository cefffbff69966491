package io.github.bloomgate.rebuild;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.store.Agenda;
import io.github.bloomgate.store.EndedRun;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Performs a run on the calling thread: rebuilds the filter from its source and records how that
 * ended. The rebuild is opened before the source, so that an element added to filter and source at
 * the same time is in one of them.
 */
@Singleton
class SourceRebuild {

  private static final Logger LOG = Logger.getLogger(SourceRebuild.class);

  private final LeftRebuilds left;
  private final LiveFilters live;
  private final SourceOrigins origins;
  private final Agenda agenda;
  private final Timer done;
  private final Timer failed;
  private final Counter elementsRead;

  SourceRebuild(
      LeftRebuilds left,
      LiveFilters live,
      SourceOrigins origins,
      Agenda agenda,
      MeterRegistry registry) {
    this.left = left;
    this.live = live;
    this.origins = origins;
    this.agenda = agenda;
    this.done = timer(registry, "ok");
    this.failed = timer(registry, "failed");
    this.elementsRead =
        Counter.builder("bloom.source.elements")
            .description("Number of elements read from sources.")
            .register(registry);
  }

  private static Timer timer(MeterRegistry registry, String result) {
    return Timer.builder("bloom.source.run")
        .description("Duration of rebuilds from sources, in seconds.")
        .tag("result", result)
        .register(registry);
  }

  /**
   * Performs a run. If it fails, the filter does not change. If this instance stops or Redis does
   * not answer, another instance continues the run.
   *
   * @throws BloomException the reason of a failure. FILTER_CHANGED if the run has lost the claim;
   *     RUN_INTERRUPTED if this instance stops, or if adds during an interrupted run would be lost
   */
  void perform(SourceRun run) {
    run.begin();
    try {
      run.check();
      noteDone(run, rebuild(run));
    } catch (RuntimeException thrown) {
      if (run.isStopped()) {
        giveBack(run);
        throw RebuildErrors.runStopped(run.name());
      }
      var reason = reason(run.name(), thrown);
      if (isOfRedis(reason)) {
        // The claim expires, and the run is continued.
        LOG.warnf(
            "The rebuild of filter %s from its source was interrupted, and will be continued: %s",
            run.name(), reason.getMessage());
      } else {
        fail(run, reason);
      }
      throw reason;
    }
  }

  /** Rebuilds the filter, and ends the run in the same step. */
  private EndedRun rebuild(SourceRun run) {
    var minElements = run.minElements();
    var rebuild = left.takeOver(run);
    load(rebuild, run);
    var now = run.hold();
    // Only elements read by this run count, not those loaded before it was interrupted.
    if (run.elements() < minElements) {
      throw RebuildErrors.tooFew(run.name(), run.elements(), minElements);
    }
    var ended = run.ended(now, Optional.empty());
    commit(rebuild, minElements, ended);
    return ended;
  }

  private void load(Rebuild rebuild, SourceRun run) {
    run.check();
    run.progress(0);
    try (var opened = origins.open(run.origin())) {
      run.reads(opened);
      var batch = opened.next();
      while (!batch.isEmpty()) {
        run.check();
        run.progress(batch.size());
        await(rebuild.load(batch, Client.SERVICE));
        run.progress(0);
        batch = opened.next();
      }
    } catch (BloomException failure) {
      // If the reader was closed to end the run, throw the reason of that instead.
      run.check();
      throw failure;
    }
    run.check();
  }

  private void commit(Rebuild rebuild, long minElements, EndedRun ended) {
    try {
      rebuild.commit(minElements, NewExpiry.KEEP, Optional.of(ended));
    } catch (BloomException failure) {
      // It may be live although the reply was lost.
      if (failure.code() != ErrorCode.STORE_OUTCOME_UNKNOWN || !isLive(rebuild.next())) {
        throw failure;
      }
    }
  }

  private boolean isLive(Generation next) {
    try {
      return live.get(next.name()).live().content().equals(next.content());
    } catch (BloomException unknown) {
      return false;
    }
  }

  private void noteDone(SourceRun run, EndedRun ended) {
    count(done, run);
    LOG.infof(
        "Rebuilt filter %s from its source: %d elements in %d ms",
        run.name(), run.elements(), run.time().toMillis());
    enter(run.name(), ended.next());
  }

  private void count(Timer result, SourceRun run) {
    result.record(run.time());
    elementsRead.increment((double) run.elements());
  }

  /** The name is listed anyway, but perhaps to be checked later. */
  private void enter(FilterName name, Optional<Instant> next) {
    try {
      next.ifPresent(at -> agenda.enter(name, at));
    } catch (BloomException failure) {
      LOG.debugf("Could not enter the next run of %s: %s", name, failure.getMessage());
    }
  }

  private void giveBack(SourceRun run) {
    // The thread may have been interrupted to end the run, which would end this call too.
    var unused = Thread.interrupted();
    try {
      run.giveBack().ifPresent(now -> agenda.enter(run.name(), now));
    } catch (BloomException failure) {
      LOG.debugf("Could not give back the run of %s: %s", run.name(), failure.getMessage());
    }
  }

  private static BloomException reason(FilterName name, RuntimeException failure) {
    if (failure instanceof BloomException reason) {
      return reason;
    }
    LOG.errorf(failure, "The rebuild of filter %s from its source failed", name);
    return RequestErrors.internal("The service failed; see its log.", failure);
  }

  private static boolean isOfRedis(BloomException reason) {
    return reason.code() == ErrorCode.STORE_UNAVAILABLE
        || reason.code() == ErrorCode.STORE_OUTCOME_UNKNOWN;
  }

  private void fail(SourceRun run, BloomException reason) {
    var name = run.name();
    count(failed, run);
    LOG.warnf(
        "The rebuild of filter %s from its source failed with %s: %s",
        name, reason.code(), reason.getMessage());
    try {
      left.abort(run, reason).ifPresent(ended -> enter(name, ended.next()));
    } catch (BloomException unrecorded) {
      // Redis is unavailable. The claim expires, and the run is repeated.
      LOG.warnf(
          "The outcome for filter %s could not be recorded: %s", name, unrecorded.getMessage());
    }
  }
}
