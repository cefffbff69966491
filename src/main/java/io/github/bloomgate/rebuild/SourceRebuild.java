package io.github.bloomgate.rebuild;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.filters.FoundFilter;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.model.source.SourceStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/**
 * Rebuilds a filter from its source, on the thread that executes it. The rebuild is open before the
 * source is opened, so that an element which is added to the filter and to the source meanwhile is
 * in the one or the other.
 */
@Singleton
public class SourceRebuild {

  private final Rebuilds rebuilds;
  private final LiveFilters live;
  private final SourceOrigins origins;

  SourceRebuild(Rebuilds rebuilds, LiveFilters live, SourceOrigins origins) {
    this.rebuilds = rebuilds;
    this.live = live;
    this.origins = origins;
  }

  /** Aborts what a run has left that died or lost its source. */
  void abortLeftOver(FilterName name) {
    leftOver(name).ifPresent(next -> rebuilds.goOn(next, "").abort());
  }

  /** The rebuild that another run has opened. */
  private Optional<FoundFilter.Next> leftOver(FilterName name) {
    return live.get(name).next().filter(next -> next.state().run().isPresent());
  }

  /**
   * Rebuilds a filter. Goes on with the rebuild of a run that died, since adds that were answered
   * meanwhile are in it; a filter that counts would count twice what was read twice.
   *
   * @param idleTimeout how long the rebuild may go without a load before it is aborted
   * @throws BloomException why it failed; the filter is as it was. RUN_LOST: the rebuild is another
   *     run's now, and untouched
   */
  void execute(AttachedSources.Claim claim, RunWatch watch, Duration idleTimeout) {
    var minElements = claim.source().source().minElements(claim.source().elementsBefore());
    var rebuild = open(claim, idleTimeout);
    try {
      watch.loads(rebuild.next().generation().incarnation());
      load(rebuild, claim.source().source().origin(), watch);
      watch.hold();
      // What a run has loaded that died is part of the rebuild, but not of what the source has.
      if (watch.elements() < minElements) {
        throw RebuildErrors.tooFew(claim.name(), watch.elements(), minElements);
      }
      commit(rebuild, minElements);
    } catch (RuntimeException failure) {
      if (!watch.isStopped()) {
        rebuild.close();
      }
      throw failure;
    }
  }

  private Rebuild open(AttachedSources.Claim claim, Duration idleTimeout) {
    var name = claim.name();
    var leftOver = leftOver(name);
    if (leftOver.isPresent()) {
      var next = leftOver.get();
      if (isOf(claim, next) && !next.filter().isCounting()) {
        return rebuilds.goOn(next, claim.id());
      }
      rebuilds.goOn(next, claim.id()).abort();
    }
    return rebuilds.openFor(name, idleTimeout, claim.id());
  }

  /** Not of a run of a source that the filter had before. */
  private static boolean isOf(AttachedSources.Claim claim, FoundFilter.Next next) {
    var loaded = claim.source().run().flatMap(SourceStatus.Run::rebuild);
    return next.state().run().equals(Optional.of(claim.died()))
        || loaded.equals(Optional.of(next.filter().generation().incarnation()));
  }

  private void load(Rebuild rebuild, Origin origin, RunWatch watch) {
    watch.check();
    watch.progress(0);
    try (var opened = origins.open(origin)) {
      watch.reads(opened);
      var batch = opened.next();
      while (!batch.isEmpty()) {
        watch.check();
        watch.progress(batch.size());
        await(rebuild.load(batch));
        watch.progress(0);
        batch = opened.next();
      }
    } catch (BloomException failure) {
      // The watch closes what is read: then that is not the reason.
      watch.check();
      throw failure;
    }
    watch.check();
  }

  private void commit(Rebuild rebuild, long minElements) {
    try {
      rebuild.commit(minElements, NewDeadline.KEEP);
    } catch (BloomException failure) {
      // It may be live although the answer that says so is missing.
      if (failure.code() != ErrorCode.STORE_OUTCOME_UNKNOWN || !isLive(rebuild.next())) {
        throw failure;
      }
    }
  }

  private boolean isLive(Filter next) {
    try {
      return live.get(next.name()).filter().generation().equals(next.generation());
    } catch (BloomException unknown) {
      return false;
    }
  }
}
