package io.github.bloomgate.service;

import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.filter.FilterName;
import io.github.bloomgate.filter.FilterParameters;
import io.github.bloomgate.filter.Rebuild;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.Outline;
import io.github.bloomgate.store.RebuildStore;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StaleFilterException;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/**
 * Rebuilds filters while they are in use: loads a next generation beside the live one, then puts it
 * in its place in one step.
 *
 * <p>From the moment a rebuild is open, every add goes to both generations before it is answered,
 * see {@link NextGenerations}; so neither a commit nor an abort loses one. All methods fail with
 * {@link BloomException}.
 */
@ApplicationScoped
public class RebuildService {

  private static final Logger LOG = Logger.getLogger(RebuildService.class);
  private static final int CALLS_AT_ONCE = 16;
  private static final int MAX_ATTEMPTS = 5;
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int MAX_POLLS = 3_000;

  private final DescriptionService descriptions;
  private final LiveFilters live;
  private final NextGenerations nextGenerations;
  private final FilterStore filters;
  private final SegmentStore segments;
  private final RebuildStore rebuilds;
  private final Catalogue catalogue;
  private final Settler settler;
  private final SegmentMaking making;
  private final Clock clock;

  RebuildService(
      DescriptionService descriptions,
      LiveFilters live,
      NextGenerations nextGenerations,
      FilterStore filters,
      SegmentStore segments,
      RebuildStore rebuilds,
      Catalogue catalogue,
      Settler settler,
      SegmentMaking making,
      Clock clock) {
    this.descriptions = descriptions;
    this.live = live;
    this.nextGenerations = nextGenerations;
    this.filters = filters;
    this.segments = segments;
    this.rebuilds = rebuilds;
    this.catalogue = catalogue;
    this.settler = settler;
    this.making = making;
    this.clock = clock;
  }

  /**
   * Opens a rebuild of a filter, which may be damaged as long as its parameters can be read.
   *
   * @param parameters those of the next generation, from those of the filter
   * @param patience how long it may go without a load before it is aborted
   * @return the generation to be loaded; it may still be being made, see {@link Filter#isReady}
   * @throws BloomException FILTER_NOT_FOUND, REBUILD_IN_PROGRESS, FILTER_NOT_READY, STORE_FULL
   */
  public Uni<Filter> open(
      FilterName name, UnaryOperator<FilterParameters> parameters, Duration patience) {
    return open(name, parameters, patience, 1);
  }

  private Uni<Filter> open(
      FilterName name, UnaryOperator<FilterParameters> parameters, Duration patience, int attempt) {
    if (attempt > MAX_ATTEMPTS) {
      return Uni.createFrom().failure(BloomException.filterChanged(name));
    }
    return filters
        .outline(name)
        .map(Outline::filter)
        .chain(
            found -> {
              if (found.isEmpty()) {
                return requireState(name);
              }
              var filter = found.get();
              var next = filter.successor(parameters.apply(filter.parameters()), clock.instant());
              return make(next, () -> rebuilds.open(filter, next, patience));
            })
        .onFailure(StaleFilterException.class)
        .recoverWithUni(() -> open(name, parameters, patience, attempt + 1));
  }

  /** Tells a filter that lost its state from one that is not there. */
  private Uni<Filter> requireState(FilterName name) {
    return live.find(name)
        .map(
            appeared -> {
              throw new StaleFilterException(false);
            });
  }

  /**
   * Opens a rebuild that shall become a filter: nobody sees it until it is committed. If the filter
   * is created by somebody else meanwhile, the rebuild is gone.
   *
   * @throws BloomException FILTER_EXISTS, REBUILD_IN_PROGRESS, STORE_FULL
   */
  public Uni<Filter> openNew(FilterName name, FilterParameters parameters, Duration patience) {
    var next = Filter.toCome(name, parameters, clock.instant());
    return make(next, () -> rebuilds.openNew(next, patience));
  }

  private Uni<Filter> make(Filter next, Supplier<Uni<Void>> open) {
    var name = next.name();
    return settler
        .note(name)
        .chain(note -> open.get().chain(() -> making.make(note, () -> discard(next))))
        .chain(() -> rebuilds.find(name))
        .map(
            found -> {
              LOG.infof("Opened a rebuild of filter %s", name);
              return found
                  .map(Rebuild::next)
                  .filter(now -> now.generation().equals(next.generation()))
                  .orElseThrow(() -> BloomException.rebuildNotFound(name));
            });
  }

  /**
   * Waits until a rebuild that was just opened is open, which takes a while with many segments.
   *
   * @return the generation as it is then
   * @throws BloomException REBUILD_NOT_FOUND if it was aborted meanwhile; FILTER_NOT_READY after
   *     some minutes
   */
  public Uni<Filter> awaitReady(Filter next) {
    return awaitReady(next, 1);
  }

  private Uni<Filter> awaitReady(Filter next, int poll) {
    if (next.isReady()) {
      return Uni.createFrom().item(next);
    }
    if (poll > MAX_POLLS) {
      return Uni.createFrom().failure(BloomException.rebuildNotReady(next.name()));
    }
    // Nothing is loaded, but whoever waits has not abandoned it.
    return rebuilds
        .loaded(next, 0)
        .onItem()
        .delayIt()
        .by(POLL)
        .chain(() -> find(next.name()))
        .map(Rebuild::next)
        .invoke(
            now -> {
              if (!now.generation().equals(next.generation())) {
                throw BloomException.rebuildNotFound(next.name());
              }
            })
        .chain(now -> awaitReady(now, poll + 1));
  }

  private Uni<Void> discard(Filter next) {
    return abort(next).replaceWithVoid();
  }

  /** Finds the rebuild that is open under a name, or fails with REBUILD_NOT_FOUND. */
  public Uni<Rebuild> find(FilterName name) {
    return rebuilds
        .find(name)
        .map(found -> found.orElseThrow(() -> BloomException.rebuildNotFound(name)));
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
                throw BloomException.rebuildNotFound(name);
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
      return Uni.createFrom().failure(BloomException.rebuildNotReady(name));
    }
    return nextGenerations
        .write(next, elements)
        .onFailure(StaleFilterException.class)
        .transform(stale -> BloomException.rebuildNotFound(name))
        .call(written -> rebuilds.loaded(next, written.applied()))
        .map(
            written -> {
              if (written.full()) {
                throw BloomException.filterFull(
                    name,
                    next.parameters().expectedInsertions(),
                    written.applied(),
                    elements.size(),
                    next.shape().segments() == 1);
              }
              return Answers.of(written.added());
            });
  }

  /**
   * Puts a next generation in the place of the live one, in one step for every reader and writer.
   *
   * @param allowEmpty whether to do so if nothing was loaded
   * @param deadline what becomes of the filter's deadline
   * @return the filter as it is then
   * @throws BloomException REBUILD_NOT_FOUND, REBUILD_EMPTY, FILTER_NOT_READY while it is being
   *     opened, FILTER_DAMAGED if part of what was loaded is missing
   */
  public Uni<Description> commit(Filter next, boolean allowEmpty, NewDeadline deadline) {
    var name = next.name();
    if (!next.isReady()) {
      return Uni.createFrom().failure(BloomException.rebuildNotReady(name));
    }
    return requireWhole(next)
        .chain(() -> catalogue.add(name))
        .chain(
            () ->
                settler.follow(name, () -> rebuilds.commit(next, allowEmpty, deadline.inMillis())))
        .eventually(() -> live.forget(name))
        // Somebody who saw the name before there was a filter may have taken it off.
        .chain(() -> catalogue.add(name))
        .invoke(() -> LOG.infof("Committed the rebuild of filter %s", name))
        .chain(() -> descriptions.describe(name));
  }

  /** The script sees the first segment only; one that lost another must not go live. */
  private Uni<Void> requireWhole(Filter next) {
    return Multi.createFrom()
        .items(IntStream.range(1, next.shape().segments()).boxed())
        .onItem()
        .transformToUni(segment -> requireWhole(next, segment))
        .merge(CALLS_AT_ONCE)
        .onItem()
        .ignoreAsUni();
  }

  private Uni<Void> requireWhole(Filter next, int segment) {
    return segments
        .count(next, segment)
        .replaceWithVoid()
        .onFailure(StaleFilterException.class)
        .recoverWithUni(
            () ->
                find(next.name())
                    .invoke(
                        now -> {
                          var isStillNext = now.next().generation().equals(next.generation());
                          throw isStillNext
                              ? BloomException.filterDamaged(
                                  next.name(), SegmentStore.stateKey(next, segment))
                              : BloomException.rebuildNotFound(next.name());
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
    return settler
        .follow(name, () -> rebuilds.abort(name, next.generation()))
        .invoke(
            aborted -> {
              if (aborted) {
                LOG.infof("Aborted the rebuild of filter %s", name);
              }
            });
  }
}
