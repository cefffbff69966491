package io.github.bloomgate.rebuild;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StoredFilter;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Rebuilds a filter from its source, on the thread that executes it. The rebuild is open before the
 * source is opened, so that an element which is added to the filter and to the source meanwhile is
 * in the one or the other.
 */
@ApplicationScoped
public class SourceRebuild {

  private static final Logger LOG = Logger.getLogger(SourceRebuild.class);

  private final RebuildOpening openings;
  private final RebuildService rebuilds;
  private final RebuildLoads loads;
  private final FilterStore filters;
  private final SegmentStore segments;
  private final SourceOrigins origins;

  public SourceRebuild(
      RebuildOpening openings,
      RebuildService rebuilds,
      RebuildLoads loads,
      FilterStore filters,
      SegmentStore segments,
      SourceOrigins origins) {
    this.openings = openings;
    this.rebuilds = rebuilds;
    this.loads = loads;
    this.filters = filters;
    this.segments = segments;
    this.origins = origins;
  }

  /** Drops the rebuild of a run that died, if it still is the one that is open. */
  void abort(FilterName name, String generation) {
    try {
      var next = rebuilds.find(name).next();
      if (next.generation().toString().equals(generation)) {
        rebuilds.abort(next);
      }
    } catch (BloomException failure) {
      if (failure.code() != ErrorCode.REBUILD_NOT_FOUND) {
        throw failure;
      }
    }
  }

  /**
   * Rebuilds a filter.
   *
   * @param minElements how many elements must be read at least
   * @param patience how long the rebuild may go without a load before it is aborted
   * @throws BloomException why it failed; the filter is as it was
   */
  void execute(
      FilterName name, Origin origin, long minElements, RunWatch watch, Duration patience) {
    var next = openings.open(name, parameters -> parameters, patience);
    try {
      watch.loads(next.generation());
      next = openings.awaitReady(next);
      watch.check();
      load(next, origin, watch);
      watch.hold();
    } catch (RuntimeException failure) {
      rebuilds.discard(next);
      throw failure;
    }
    commit(next, minElements);
  }

  private void load(Filter next, Origin origin, RunWatch watch) {
    watch.progress(0);
    try (var opened = origins.open(origin)) {
      watch.reads(opened);
      var batch = opened.next();
      while (!batch.isEmpty()) {
        watch.check();
        watch.progress(batch.size());
        await(loads.load(next, batch));
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

  private void commit(Filter next, long minElements) {
    try {
      rebuilds.commit(next, minElements, NewDeadline.KEEP).ifPresent(this::bringHome);
    } catch (BloomException failure) {
      // It may be live although the answer that says so is missing.
      if (!isLive(next)) {
        rebuilds.discard(next);
        throw failure;
      }
    }
  }

  /** Of the first segment, whose keys have changed; whoever loaded it brings home the others'. */
  private void bringHome(StoredFilter committed) {
    var filter = committed.filter();
    try {
      await(segments.bringHome(filter, 0, true));
    } catch (RuntimeException failure) {
      LOG.debugf("The journal of filter %s stays: %s", filter.name(), failure);
    }
  }

  private boolean isLive(Filter next) {
    try {
      return await(filters.find(next.name()))
          .filter(found -> found.filter().generation().equals(next.generation()))
          .isPresent();
    } catch (BloomException unknown) {
      return false;
    }
  }
}
