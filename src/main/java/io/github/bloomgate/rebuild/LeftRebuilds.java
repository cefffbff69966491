package io.github.bloomgate.rebuild;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.store.EndedRun;
import io.github.bloomgate.store.SourceStore;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/**
 * The rebuilds that runs of sources have left open. The next attempt of a run continues its
 * rebuild, because that contains the adds acknowledged since the run began. All others are aborted.
 * Blocks.
 */
@Singleton
class LeftRebuilds {

  /** A run that kills its instance each time must stop at some point. */
  private static final int MAX_ATTEMPTS = 5;

  /** Never has a claim. */
  private static final String NO_RUN = "none";

  /**
   * How long the rebuild of an interrupted run stays open, while Redis or all instances are down.
   */
  private static final Duration UNTIL_CONTINUED = Duration.ofHours(1);

  private final Rebuilds rebuilds;
  private final LiveFilters live;
  private final SourceStore store;

  /** The time without a load after which a rebuild expires. */
  private final Duration timeout;

  LeftRebuilds(Rebuilds rebuilds, LiveFilters live, SourceStore store, BloomgateConfig config) {
    this.rebuilds = rebuilds;
    this.live = live;
    this.store = store;
    this.timeout = config.sources().idleTimeout().plus(UNTIL_CONTINUED);
  }

  /**
   * Takes over what instances that died during the run have left, or begins it.
   *
   * @throws BloomException RUN_INTERRUPTED if adds during the interrupted run would be lost, or too
   *     many instances have died; all of {@link Rebuilds#openFor}
   */
  Rebuild takeOver(SourceRun run) {
    requireAnotherAttempt(run);
    var left = find(run.name());
    if (run.begunRebuild().isPresent()) {
      return rebuilds.goOn(continued(run, left), run.id());
    }
    // It belongs to an earlier source of the filter.
    left.ifPresent(next -> rebuilds.goOn(next, run.id()).abort());
    return rebuilds.openFor(run.name(), timeout, run.id());
  }

  private static void requireAnotherAttempt(SourceRun run) {
    if (run.attempts() >= MAX_ATTEMPTS) {
      throw RebuildErrors.runInterrupted(
          run.name(),
          "The run was interrupted %d times, because its instance died or Redis did not answer. Check their logs"
              .formatted(run.attempts()));
    }
  }

  /** A new rebuild would lack the adds during the interrupted run. */
  private static Generation continued(SourceRun run, Optional<Generation> left) {
    var next =
        left.filter(open -> run.begunRebuild().equals(Optional.of(open.incarnation())))
            .orElseThrow(
                () ->
                    RebuildErrors.runInterrupted(
                        run.name(),
                        "The run was interrupted, and its rebuild has been aborted or has expired since"));
    if (next.isCounting()) {
      throw RebuildErrors.runInterrupted(
          run.name(),
          "The run was interrupted. It cannot continue, because a counting filter would count elements twice that are loaded twice");
    }
    return next;
  }

  /** The open rebuild of a run. */
  private Optional<Generation> find(FilterName name) {
    return live.get(name).next().filter(next -> next.loading().run().isPresent());
  }

  /** Aborts the open rebuild of a run, unless a run has the claim: it may continue the rebuild. */
  void abort(FilterName name) {
    find(name).ifPresent(next -> rebuilds.goOn(next, NO_RUN).abort());
  }

  /**
   * Ends a run that failed in one step with its rebuild, which the run needs until then if it is
   * continued. A run that has lost the claim ends without effect.
   *
   * @return the run; empty if it has lost the claim
   */
  Optional<EndedRun> abort(SourceRun run, BloomException reason) {
    var ended = run.renew().map(now -> run.ended(now, Optional.of(reason)));
    if (ended.isEmpty()) {
      abort(run.name());
      return ended;
    }
    var open = find(run.name()).map(next -> rebuilds.goOn(next, run.id()));
    if (open.isEmpty() || !open.get().abort(ended)) {
      store.ran(run.name(), ended.get());
    }
    return ended;
  }
}
