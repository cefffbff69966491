package io.github.bloomgate.rebuild;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.elements.NextGenerations;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Reconciler;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Rebuild;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.error.SeveralSlotsException;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.Intents.Intent;
import io.github.bloomgate.store.RebuildStore;
import io.github.bloomgate.store.RebuildStore.Committed;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StoredFilter;
import io.github.bloomgate.store.UsageCount;
import io.github.bloomgate.threads.OwnContext;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Ends rebuilds of filters, which are in use all the while: puts the generation that was loaded
 * beside the live one in its place in one step, or drops it. {@link RebuildOpening} opens them, and
 * {@link RebuildLoads} loads them.
 *
 * <p>From the moment a rebuild is open, every add goes to both generations before it is answered,
 * see {@link NextGenerations}; so neither a commit nor an abort loses one. All methods fail with
 * {@link BloomException}.
 */
@ApplicationScoped
public class RebuildService {

  private static final Logger LOG = Logger.getLogger(RebuildService.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final int DISCARD_ATTEMPTS = 10;

  private final LiveFilters live;
  private final NextGenerations nextGenerations;
  private final RebuildStore rebuilds;
  private final Catalogue catalogue;
  private final Reconciler reconciler;
  private final UsageCount usage;

  public RebuildService(
      LiveFilters live,
      NextGenerations nextGenerations,
      RebuildStore rebuilds,
      Catalogue catalogue,
      Reconciler reconciler,
      UsageCount usage) {
    this.live = live;
    this.nextGenerations = nextGenerations;
    this.rebuilds = rebuilds;
    this.catalogue = catalogue;
    this.reconciler = reconciler;
    this.usage = usage;
  }

  /** Finds the rebuild that is open under a name, or fails with REBUILD_NOT_FOUND. */
  public Rebuild find(FilterName name) {
    return await(rebuilds.find(name)).orElseThrow(() -> RebuildErrors.notFound(name));
  }

  /**
   * Puts a next generation in the place of the live one, in one step for every reader and writer.
   * If this fails, other than with STORE_OUTCOME_UNKNOWN, it was not done.
   *
   * @param minElements how many elements must have been loaded at least; 0 for an empty one too
   * @param deadline what becomes of the filter's deadline
   * @return the filter as the commit left it; empty if it cannot be read, as it was damaged before
   * @throws BloomException REBUILD_NOT_FOUND, REBUILD_EMPTY, REBUILD_TOO_SMALL, FILTER_NOT_READY
   *     while it is being opened, FILTER_DAMAGED if part of what was loaded is missing
   */
  public Optional<StoredFilter> commit(Filter next, long minElements, NewDeadline deadline) {
    var name = next.name();
    if (!next.isReady()) {
      throw RebuildErrors.notReady(name);
    }
    Committed committed;
    try {
      committed = commit(next, minElements, deadline.inMillis());
    } finally {
      live.forget(name);
    }
    LOG.infof("Committed the rebuild of filter %s", name);
    committed.filter().map(StoredFilter::filter).ifPresent(live::remember);
    committed.noted().ifPresent(this::tidyUp);
    return committed.filter();
  }

  /**
   * In one script, or in steps where a cluster keeps a filter apart from what lists names, or there
   * are too many segments.
   */
  private Committed commit(Filter next, long minElements, Optional<Long> expiresAt) {
    var replaced = replaced(next.name());
    if (RebuildStore.fitOneScript(next, replaced)) {
      try {
        return rebuilds.commitAtOnce(next, replaced, minElements, expiresAt);
      } catch (SeveralSlotsException several) {
        LOG.debugf("The rebuild of filter %s is committed in steps", next.name());
      }
    }
    requireWhole(next);
    catalogue.add(next.name());
    var intent = reconciler.intend(next.name());
    var committed = rebuilds.commit(next, minElements, expiresAt);
    usage.reconcile(next.name());
    return new Committed(committed.filter(), Optional.of(intent));
  }

  /** What seems to be live; empty if nothing is, or it cannot be read, which a rebuild is for. */
  private Optional<Filter> replaced(FilterName name) {
    try {
      return live.remembered(name).or(() -> Optional.of(live.get(name).filter()));
    } catch (BloomException unreadable) {
      return Optional.empty();
    }
  }

  /** The content is live by now: what fails here is done later, and is no failure of the commit. */
  private void tidyUp(Intent intent) {
    var name = intent.name();
    try {
      reconciler.reconcile(intent);
      // Somebody who saw the name before there was a filter may have taken it off.
      catalogue.add(name);
    } catch (RuntimeException failure) {
      LOG.warnf(
          "The segments of filter %s could not be reconciled, trying again later: %s",
          name, failure.getMessage());
    }
  }

  /** The script sees the first segment only; one that lost another must not go live. */
  private void requireWhole(Filter next) {
    var lost = await(nextGenerations.lostLaterSegment(next));
    if (lost.isPresent()) {
      throw find(next.name()).next().generation().equals(next.generation())
          ? FilterErrors.damaged(next.name(), SegmentStore.stateKey(next, lost.getAsInt()))
          : RebuildErrors.notFound(next.name());
    }
  }

  /**
   * Aborts a rebuild and frees what it loaded; what is live stays as it is.
   *
   * @return false if it was committed or aborted before
   */
  public boolean abort(Filter next) {
    var name = next.name();
    var intent = reconciler.intend(name);
    var aborted = rebuilds.abort(name, next.generation());
    reconciler.reconcile(intent);
    usage.reconcile(name);
    if (aborted) {
      LOG.infof("Aborted the rebuild of filter %s", name);
    }
    return aborted;
  }

  /**
   * Aborts a rebuild after a failure, which matters more than whether this succeeds: never fails,
   * and when Redis is away goes on trying for a while in the background.
   */
  void discard(Filter next) {
    try {
      abort(next);
    } catch (RuntimeException failure) {
      discardLater(next);
    }
  }

  private void discardLater(Filter next) {
    Uni.createFrom()
        .item(() -> abort(next))
        .runSubscriptionOn(OwnContext.workers())
        .onFailure()
        .retry()
        .withBackOff(FIRST_PAUSE, LONGEST_PAUSE)
        .atMost(DISCARD_ATTEMPTS)
        .subscribe()
        .with(
            aborted -> {},
            failure ->
                LOG.warnf(
                    "What was loaded into filter %s is freed later, as it could not be now: %s",
                    next.name(), failure.getMessage()));
  }
}
