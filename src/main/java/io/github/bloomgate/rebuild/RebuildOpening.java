package io.github.bloomgate.rebuild;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.filters.Capacity;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.filters.Reconciler;
import io.github.bloomgate.filters.SegmentMaking;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.RebuildStore;
import io.github.bloomgate.store.StaleFilterException;
import io.github.bloomgate.store.UsageTotals.Reservation;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.function.Function;
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
  private static final int SERVER_ERROR = 500;

  private final RebuildService rebuilds;
  private final FilterStore filters;
  private final RebuildStore store;
  private final Reconciler reconciler;
  private final SegmentMaking making;
  private final NextParameters parameters;
  private final Capacity capacity;

  public RebuildOpening(
      RebuildService rebuilds,
      FilterStore filters,
      RebuildStore store,
      Reconciler reconciler,
      SegmentMaking making,
      NextParameters parameters,
      Capacity capacity) {
    this.rebuilds = rebuilds;
    this.filters = filters;
    this.store = store;
    this.reconciler = reconciler;
    this.making = making;
    this.parameters = parameters;
    this.capacity = capacity;
  }

  /**
   * Opens a rebuild of a filter, which may be damaged as long as its parameters can be read.
   *
   * @param choice the parameters of the next generation, from those of the filter; it has one layer
   * @param patience how long it may go without a load before it is aborted
   * @param quota that of the key that asks
   * @return the generation to be loaded; it may still be being made, see {@link Filter#isReady}
   * @throws BloomException FILTER_NOT_FOUND, REBUILD_IN_PROGRESS, FILTER_NOT_READY, STORE_FULL,
   *     LIMIT_EXCEEDED; INVALID_REQUEST if it shall be keyed and there is no secret, SECRET_MISSING
   *     if it is to keep the key of the filter and that is not known
   */
  public Filter open(
      FilterName name, UnaryOperator<FilterParameters> choice, Duration patience, Quota quota) {
    return openLike(
        name, filter -> FilterPlan.of(choice.apply(filter.rebuildParameters())), patience, quota);
  }

  /** Likewise, with the parameters and the layers that are chosen. */
  Filter openLike(
      FilterName name, Function<Filter, FilterPlan> choice, Duration patience, Quota quota) {
    for (var attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      var found = await(filters.outline(name)).filter();
      if (found.isPresent()) {
        var filter = found.get();
        var next = parameters.successor(filter, choice);
        var room = capacity.reserveNext(filter, next, quota);
        try {
          return make(next, room, () -> store.open(filter, next, patience));
        } catch (StaleFilterException replaced) {
          // Then it is opened for the one that is there now.
        }
      } else {
        requireGone(name);
      }
    }
    throw FilterErrors.changed(name);
  }

  /** Likewise, for what leaves the size of the filter as it is or is asked for by no key. */
  public Filter open(FilterName name, UnaryOperator<FilterParameters> choice, Duration patience) {
    return open(name, choice, patience, Quota.NONE);
  }

  /** Tells a filter that lost its state, or that appears just now, from one that is not there. */
  private void requireGone(FilterName name) {
    if (await(filters.find(name)).isEmpty()) {
      throw FilterErrors.notFound(name);
    }
  }

  /**
   * Opens a rebuild of a filter, or one that shall become a filter if there is none.
   *
   * @throws BloomException FILTER_CHANGED if one is created or deleted at this very moment
   */
  public Filter openOrNew(FilterName name, FilterPlan asked, Duration patience, Quota quota) {
    try {
      return openLike(name, live -> asked, patience, quota);
    } catch (BloomException failure) {
      if (failure.code() != ErrorCode.FILTER_NOT_FOUND) {
        throw failure;
      }
    }
    try {
      return openNew(name, asked, patience, quota);
    } catch (BloomException failure) {
      throw failure.code() == ErrorCode.FILTER_EXISTS ? FilterErrors.changed(name) : failure;
    }
  }

  /**
   * Opens a rebuild that shall become a filter: nobody sees it until it is committed. If the filter
   * is created by somebody else meanwhile, the rebuild is gone.
   *
   * @throws BloomException FILTER_EXISTS, REBUILD_IN_PROGRESS, STORE_FULL, LIMIT_EXCEEDED;
   *     SECRET_MISSING, INVALID_REQUEST as {@link #open}
   */
  public Filter openNew(FilterName name, FilterPlan asked, Duration patience, Quota quota) {
    var next = parameters.ofNew(name, asked);
    var room = capacity.reserveNew(next, quota).orElseThrow(() -> FilterErrors.nameTaken(name));
    return make(next, room, () -> store.openNew(next, patience));
  }

  private Filter make(Filter next, Reservation room, Runnable open) {
    try {
      capacity.make(room, () -> openAndMake(next, open));
      var opened = rebuilds.find(next.name()).next();
      requireSame(next, opened);
      LOG.infof("Opened a rebuild of filter %s", next.name());
      return opened;
    } catch (BloomException failure) {
      if (failure.code().status() >= SERVER_ERROR) {
        // It may be open all the same, and nobody else knows of it.
        rebuilds.discard(next);
      }
      throw failure;
    }
  }

  private boolean openAndMake(Filter next, Runnable open) {
    var intent = reconciler.intend(next.name());
    open.run();
    making.make(next, intent, () -> rebuilds.abort(next));
    return true;
  }

  /**
   * Waits until a rebuild that was just opened is open, which takes a while with many segments.
   *
   * @return the generation as it is then
   * @throws BloomException REBUILD_NOT_FOUND if it was aborted meanwhile; FILTER_NOT_READY after
   *     some minutes
   */
  public Filter awaitReady(Filter opened) {
    var next = opened;
    for (var poll = 0; poll < MAX_POLLS && !next.isReady(); poll++) {
      // Nothing is loaded, but the client that waits has not abandoned it.
      await(store.loaded(next, 0).onItem().delayIt().by(POLL));
      next = rebuilds.find(opened.name()).next();
      requireSame(opened, next);
    }
    if (!next.isReady()) {
      throw RebuildErrors.notReady(next.name());
    }
    return next;
  }

  private static void requireSame(Filter opened, Filter found) {
    if (!found.generation().equals(opened.generation())) {
      throw RebuildErrors.notFound(opened.name());
    }
  }
}
