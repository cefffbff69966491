package io.github.bloomgate.rebuild;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.filters.Capacity;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.filters.OwnContext;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.filters.Reconciler;
import io.github.bloomgate.filters.SegmentMaking;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Rebuild;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.Outline;
import io.github.bloomgate.store.RebuildStore;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StaleFilterException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jboss.logging.Logger;

/**
 * Opens rebuilds; {@link RebuildService} loads and ends them. Fails with {@link BloomException}.
 */
@ApplicationScoped
public class RebuildOpening {

  private static final Logger LOG = Logger.getLogger(RebuildOpening.class);

  /** Each attempt but the first means that somebody replaced the filter a moment ago. */
  private static final int MAX_ATTEMPTS = 5;

  private static final Duration POLL = Duration.ofMillis(100);
  private static final int MAX_POLLS = 3_000;

  private final RebuildService rebuilds;
  private final LiveFilters live;
  private final FilterStore filters;
  private final RebuildStore store;
  private final Reconciler reconciler;
  private final SegmentMaking making;
  private final HashSecrets secrets;
  private final Capacity capacity;
  private final Clock clock;

  public RebuildOpening(
      RebuildService rebuilds,
      LiveFilters live,
      FilterStore filters,
      RebuildStore store,
      Reconciler reconciler,
      SegmentMaking making,
      HashSecrets secrets,
      Capacity capacity,
      Clock clock) {
    this.rebuilds = rebuilds;
    this.live = live;
    this.filters = filters;
    this.store = store;
    this.reconciler = reconciler;
    this.making = making;
    this.secrets = secrets;
    this.capacity = capacity;
    this.clock = clock;
  }

  /**
   * Opens a rebuild of a filter, which may be damaged as long as its parameters can be read.
   *
   * @param parameters those of the next generation, from those of the filter
   * @param patience how long it may go without a load before it is aborted
   * @param quota that of the key that asks
   * @return the generation to be loaded; it may still be being made, see {@link Filter#isReady}
   * @throws BloomException FILTER_NOT_FOUND, REBUILD_IN_PROGRESS, FILTER_NOT_READY, STORE_FULL,
   *     LIMIT_EXCEEDED; INVALID_REQUEST if it shall be keyed and there is no secret, SECRET_MISSING
   *     if it is to keep the key of the filter and that is not known
   */
  public Uni<Filter> open(
      FilterName name, UnaryOperator<FilterParameters> parameters, Duration patience, Quota quota) {
    return open(name, parameters, patience, quota, 1);
  }

  /** Likewise, for what leaves the size of the filter as it is or is asked for by no key. */
  public Uni<Filter> open(
      FilterName name, UnaryOperator<FilterParameters> parameters, Duration patience) {
    return open(name, parameters, patience, Quota.NONE);
  }

  private Uni<Filter> open(
      FilterName name,
      UnaryOperator<FilterParameters> parameters,
      Duration patience,
      Quota quota,
      int attempt) {
    if (attempt > MAX_ATTEMPTS) {
      return Uni.createFrom().failure(FilterErrors.changed(name));
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
              var next = filter.successor(parameters(filter, parameters), clock.instant());
              return capacity.makeNext(
                  filter, next, quota, () -> make(next, () -> store.open(filter, next, patience)));
            })
        .onFailure(StaleFilterException.class)
        .recoverWithUni(() -> open(name, parameters, patience, quota, attempt + 1));
  }

  /** The clients of the library whose bitmap it is know of no other shape than the one they use. */
  private FilterParameters parameters(Filter filter, UnaryOperator<FilterParameters> choice) {
    var asked = choice.apply(filter.rebuildParameters());
    if (!filter.isAdopted()) {
      return keyed(asked);
    }
    if (!asked.hasBitsOf(filter.parameters()) || asked.whenFull() == WhenFull.REJECT) {
      throw FilterErrors.adoptedShape(
          filter.name(), SegmentStore.bitsKey(filter, 0), asked.whenFull() == WhenFull.REJECT);
    }
    return filter.parameters();
  }

  private FilterParameters keyed(FilterParameters parameters) {
    return parameters.withHashScheme(secrets.forContent(parameters.hashScheme()));
  }

  /**
   * Opens a rebuild of a filter, or one that shall become a filter if there is none.
   *
   * @throws BloomException FILTER_CHANGED if one is created or deleted at this very moment
   */
  public Uni<Filter> openOrNew(
      FilterName name, FilterParameters parameters, Duration patience, Quota quota) {
    return open(name, live -> parameters, patience, quota)
        .onFailure(failure -> isOf(failure, ErrorCode.FILTER_NOT_FOUND))
        .recoverWithUni(
            () ->
                openNew(name, parameters, patience, quota)
                    .onFailure(failure -> isOf(failure, ErrorCode.FILTER_EXISTS))
                    .transform(created -> FilterErrors.changed(name)));
  }

  private static boolean isOf(Throwable failure, ErrorCode code) {
    return failure instanceof BloomException error && error.code() == code;
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
   * @throws BloomException FILTER_EXISTS, REBUILD_IN_PROGRESS, STORE_FULL, LIMIT_EXCEEDED;
   *     SECRET_MISSING, INVALID_REQUEST as {@link #open}
   */
  public Uni<Filter> openNew(
      FilterName name, FilterParameters parameters, Duration patience, Quota quota) {
    return Uni.createFrom()
        .item(() -> Filter.toCome(name, keyed(parameters), clock.instant()))
        .chain(
            next ->
                capacity.makeNew(
                    next,
                    quota,
                    () -> make(next, () -> store.openNew(next, patience)),
                    opened -> true,
                    () -> Uni.createFrom().failure(FilterErrors.nameTaken(name))));
  }

  private Uni<Filter> make(Filter next, Supplier<Uni<Void>> open) {
    var name = next.name();
    return reconciler
        .intend(name)
        .chain(
            intent ->
                open.get()
                    .chain(() -> making.make(intent, () -> rebuilds.abort(next).replaceWithVoid())))
        .chain(() -> store.find(name))
        .map(
            found -> {
              LOG.infof("Opened a rebuild of filter %s", name);
              return found
                  .map(Rebuild::next)
                  .filter(now -> now.generation().equals(next.generation()))
                  .orElseThrow(() -> RebuildErrors.notFound(name));
            })
        // It may be open all the same, and nobody else knows of it.
        .onFailure(RebuildOpening::isOfTheStore)
        .call(() -> rebuilds.discard(next));
  }

  private static boolean isOfTheStore(Throwable failure) {
    return failure instanceof BloomException error && error.code().status() >= 500;
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
      return Uni.createFrom().failure(RebuildErrors.notReady(next.name()));
    }
    // Nothing is loaded, but whoever waits has not abandoned it.
    return store
        .loaded(next, 0)
        .onItem()
        .delayIt()
        .by(POLL)
        .emitOn(OwnContext.here())
        .chain(() -> rebuilds.find(next.name()))
        .map(Rebuild::next)
        .invoke(
            now -> {
              if (!now.generation().equals(next.generation())) {
                throw RebuildErrors.notFound(next.name());
              }
            })
        .chain(now -> awaitReady(now, poll + 1));
  }
}
