package io.github.bloomgate.rebuild;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.model.source.SourceStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/**
 * Rebuilds a filter from its source on the calling thread. The rebuild is opened before the source,
 * so that an element added to filter and source at the same time is in one of them.
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

  /**
   * Aborts the rebuild of a run that died or lost its source, unless another run has the claim: the
   * rebuild may be its own, or it aborts that itself.
   *
   * @param run the run that may have the claim
   */
  void abortLeftOver(FilterName name, String run) {
    leftOver(name).ifPresent(next -> rebuilds.goOn(next, run).abort());
  }

  /** The open rebuild of another run. */
  private Optional<Filter> leftOver(FilterName name) {
    return live.get(name).next().filter(next -> next.loading().run().isPresent());
  }

  /**
   * Rebuilds a filter. Continues the rebuild of a run that died, because it contains adds
   * acknowledged since; except with counters, which would count elements read twice.
   *
   * @param idleTimeout the time without a load after which the rebuild expires
   * @throws BloomException the reason of a failure; the filter has not changed. RUN_LOST: the
   *     rebuild now belongs to another run and was not touched
   */
  void execute(Claim claim, RunWatch watch, Duration idleTimeout) {
    var minElements = claim.source().source().minElements(claim.source().elementsBefore());
    try (var rebuild = open(claim, idleTimeout)) {
      watch.loads(rebuild.next().content().incarnation());
      load(rebuild, claim.source().source().origin(), watch);
      watch.hold();
      // Only elements read by this run count, not those loaded by a run that died.
      if (watch.elements() < minElements) {
        throw RebuildErrors.tooFew(claim.name(), watch.elements(), minElements);
      }
      commit(rebuild, minElements);
    }
  }

  private Rebuild open(Claim claim, Duration idleTimeout) {
    var name = claim.name();
    var leftOver = leftOver(name);
    if (leftOver.isPresent()) {
      var next = leftOver.get();
      if (isOf(claim, next) && !next.isCounting()) {
        return rebuilds.goOn(next, claim.id());
      }
      rebuilds.goOn(next, claim.id()).abort();
    }
    return rebuilds.openFor(name, idleTimeout, claim.id());
  }

  /** False for a run of an earlier source of the filter. */
  private static boolean isOf(Claim claim, Filter next) {
    var loaded = claim.source().run().flatMap(SourceStatus.Run::rebuild);
    return next.loading().run().equals(Optional.of(claim.died()))
        || loaded.equals(Optional.of(next.incarnation()));
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
      // If the watch has closed the reader, throw its reason instead.
      watch.check();
      throw failure;
    }
    watch.check();
  }

  private void commit(Rebuild rebuild, long minElements) {
    try {
      rebuild.commit(minElements, NewExpiry.KEEP);
    } catch (BloomException failure) {
      // It may be live although the reply was lost.
      if (failure.code() != ErrorCode.STORE_OUTCOME_UNKNOWN || !isLive(rebuild.next())) {
        throw failure;
      }
    }
  }

  private boolean isLive(Filter next) {
    try {
      return live.get(next.name()).live().content().equals(next.content());
    } catch (BloomException unknown) {
      return false;
    }
  }
}
