package io.github.bloomgate.rebuild;

import io.github.bloomgate.elements.Answers;
import io.github.bloomgate.elements.NextGenerations;
import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.RebuildDescription;
import io.github.bloomgate.filters.Reconciler;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Rebuild;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.Intents.Intent;
import io.github.bloomgate.store.RebuildStore;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StaleFilterException;
import io.github.bloomgate.store.UsageCount;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Rebuilds filters while they are in use: loads a next generation beside the live one, then puts it
 * in its place in one step. {@link RebuildOpening} opens them.
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

  private final DescriptionService descriptions;
  private final LiveFilters live;
  private final NextGenerations nextGenerations;
  private final SegmentStore segments;
  private final RebuildStore rebuilds;
  private final Catalogue catalogue;
  private final Reconciler reconciler;
  private final UsageCount usage;

  public RebuildService(
      DescriptionService descriptions,
      LiveFilters live,
      NextGenerations nextGenerations,
      SegmentStore segments,
      RebuildStore rebuilds,
      Catalogue catalogue,
      Reconciler reconciler,
      UsageCount usage) {
    this.descriptions = descriptions;
    this.live = live;
    this.nextGenerations = nextGenerations;
    this.segments = segments;
    this.rebuilds = rebuilds;
    this.catalogue = catalogue;
    this.reconciler = reconciler;
    this.usage = usage;
  }

  /** Finds the rebuild that is open under a name, or fails with REBUILD_NOT_FOUND. */
  public Uni<Rebuild> find(FilterName name) {
    return rebuilds.find(name).map(found -> found.orElseThrow(() -> RebuildErrors.notFound(name)));
  }

  /**
   * Finds the generation that a rebuild loads.
   *
   * @param incarnation of the one that is meant; empty for whichever is open
   * @throws BloomException REBUILD_NOT_FOUND if none is open, or another
   */
  public Uni<Filter> find(FilterName name, Optional<String> incarnation) {
    return find(name)
        .map(Rebuild::next)
        .invoke(
            next -> {
              var found = next.generation().incarnation();
              if (!incarnation.orElse(found).equals(found)) {
                throw RebuildErrors.notFound(name);
              }
            });
  }

  /** Describes the rebuild that is open under a name. */
  public Uni<RebuildDescription> describe(FilterName name) {
    return descriptions.describeRebuild(name);
  }

  /**
   * Loads elements into a next generation only.
   *
   * @return for each element, in order, whether it changed a bit there
   * @throws BloomException REBUILD_NOT_FOUND if it was committed or aborted meanwhile; FILTER_FULL
   *     if it rejects elements beyond its n; FILTER_NOT_READY while it is being opened
   */
  public Uni<Answers> load(Filter next, List<byte[]> elements) {
    var name = next.name();
    if (!next.isReady()) {
      return Uni.createFrom().failure(RebuildErrors.notReady(name));
    }
    return nextGenerations
        .write(next, elements)
        .onFailure(StaleFilterException.class)
        .transform(stale -> RebuildErrors.notFound(name))
        .call(written -> rebuilds.loaded(next, written.appliedCount()))
        .map(
            written -> {
              written.requireAll();
              return Answers.of(written.isNew());
            });
  }

  /**
   * Loads bytes of a bitmap into a next generation: sets every bit of a segment that is set in
   * them, and keeps all others.
   *
   * @param offset index of the first byte in the segment
   * @param bytes at most {@link SegmentStore#MAX_UNION_BYTES}
   * @param insertions how many elements they stand for; counted as received
   * @throws BloomException REBUILD_NOT_FOUND if it was committed or aborted meanwhile
   */
  public Uni<Void> load(Filter next, int segment, long offset, byte[] bytes, long insertions) {
    return segments
        .union(next, segment, offset, bytes, insertions)
        .onFailure(StaleFilterException.class)
        .transform(stale -> RebuildErrors.notFound(next.name()))
        .chain(() -> rebuilds.loaded(next, insertions))
        .replaceWithVoid();
  }

  /**
   * Puts a next generation in the place of the live one, in one step for every reader and writer.
   *
   * @param minElements how many elements must have been loaded at least; 0 for an empty one too
   * @param deadline what becomes of the filter's deadline
   * @return the filter as it is then
   * @throws BloomException REBUILD_NOT_FOUND, REBUILD_EMPTY, REBUILD_TOO_SMALL, FILTER_NOT_READY
   *     while it is being opened, FILTER_DAMAGED if part of what was loaded is missing;
   *     STORE_UNAVAILABLE also if Redis was lost after the step that counts, so that the filter
   *     cannot be described; FILTER_CHANGED if others deleted or renamed it after that
   */
  public Uni<Description> commit(Filter next, long minElements, NewDeadline deadline) {
    return putLive(next, minElements, deadline).chain(() -> describeCommitted(next.name()));
  }

  /**
   * Likewise, without a look at it afterwards: who fails with this, other than with
   * STORE_OUTCOME_UNKNOWN, has not committed it.
   */
  Uni<Void> putLive(Filter next, long minElements, NewDeadline deadline) {
    var name = next.name();
    if (!next.isReady()) {
      return Uni.createFrom().failure(RebuildErrors.notReady(name));
    }
    return requireWhole(next)
        .chain(() -> catalogue.add(name))
        .chain(() -> reconciler.intend(name))
        .call(() -> rebuilds.commit(next, minElements, deadline.inMillis()))
        .eventually(() -> live.forget(name))
        .invoke(() -> LOG.infof("Committed the rebuild of filter %s", name))
        .chain(this::tidyUp)
        .call(() -> usage.reconcile(name));
  }

  /**
   * Describes a filter after {@link #putLive}.
   *
   * @throws BloomException FILTER_CHANGED if others have deleted or renamed it since
   */
  Uni<Description> describeCommitted(FilterName name) {
    return descriptions.describeChanged(name);
  }

  /** The content is live by now: what fails here is done later, and is no failure of the commit. */
  private Uni<Void> tidyUp(Intent intent) {
    var name = intent.name();
    return reconciler
        .reconcile(intent)
        // Somebody who saw the name before there was a filter may have taken it off.
        .chain(() -> catalogue.add(name))
        .onFailure()
        .invoke(
            failure ->
                LOG.warnf(
                    "The segments of filter %s could not be reconciled, trying again later: %s",
                    name, failure.getMessage()))
        .onFailure()
        .recoverWithNull();
  }

  /** The script sees the first segment only; one that lost another must not go live. */
  private Uni<Void> requireWhole(Filter next) {
    return nextGenerations
        .lostLaterSegment(next)
        .chain(
            lost ->
                lost.isEmpty()
                    ? Uni.createFrom().voidItem()
                    : find(next.name())
                        .invoke(
                            now -> {
                              throw now.next().generation().equals(next.generation())
                                  ? FilterErrors.damaged(
                                      next.name(), SegmentStore.stateKey(next, lost.getAsInt()))
                                  : RebuildErrors.notFound(next.name());
                            })
                        .replaceWithVoid());
  }

  /**
   * Aborts a rebuild and frees what it loaded; what is live stays as it is.
   *
   * @return false if it was committed or aborted before
   */
  public Uni<Boolean> abort(Filter next) {
    var name = next.name();
    return reconciler
        .follow(name, () -> rebuilds.abort(name, next.generation()))
        .call(() -> usage.reconcile(name))
        .invoke(
            aborted -> {
              if (aborted) {
                LOG.infof("Aborted the rebuild of filter %s", name);
              }
            });
  }

  /**
   * Aborts a rebuild after a failure, which matters more than whether this succeeds: never fails,
   * and when Redis is away goes on trying for a while in the background.
   */
  Uni<Void> discard(Filter next) {
    return abort(next)
        .onFailure()
        .invoke(() -> discardLater(next))
        .onFailure()
        .recoverWithItem(false)
        .replaceWithVoid();
  }

  private void discardLater(Filter next) {
    Uni.createFrom()
        .deferred(() -> abort(next))
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
