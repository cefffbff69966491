package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Generation;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.LaterSegments;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StaleFilterException;
import io.github.bloomgate.store.StoredFilter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs operations on the filter that is live under a name.
 *
 * <p>What a filter is like is remembered between requests, so that an operation needs one script
 * call. That memory is never trusted on its own: every script compares the generation, and an
 * operation that meets another one is run again on the filter as it is now. With several segments
 * the filter is confirmed after the operation as well, since only its first segment knows of a
 * deletion or a renaming. So an operation that succeeds was carried out on the filter that bore the
 * name while it ran.
 */
@ApplicationScoped
public class LiveFilters {

  /** Each attempt but the first means that somebody replaced the filter a moment ago. */
  private static final int MAX_ATTEMPTS = 5;

  private static final int MAX_REMEMBERED = 10_000;

  private final FilterStore filters;
  private final LaterSegments segments;
  private final Clock clock;
  private final Counter replaced;
  private final Counter behind;
  private final Cache<FilterName, Filter> known =
      Caffeine.newBuilder().maximumSize(MAX_REMEMBERED).build();

  public LiveFilters(
      FilterStore filters, LaterSegments segments, Clock clock, MeterRegistry metrics) {
    this.filters = filters;
    this.segments = segments;
    this.clock = clock;
    this.replaced = retries(metrics, "replaced");
    this.behind = retries(metrics, "segment");
  }

  private static Counter retries(MeterRegistry metrics, String reason) {
    return Counter.builder("bloom.retries")
        .description("Number of calls and operations that were run again.")
        .tag("reason", reason)
        .register(metrics);
  }

  /**
   * Runs an operation on the live filter of a name, again if the filter turns out to have changed.
   *
   * @param operation one script on the filter's first segment; only the last run counts
   * @return the operation's result, or a failure: FILTER_NOT_FOUND, FILTER_NOT_READY,
   *     FILTER_DAMAGED, FILTER_CHANGED if it changed at every attempt, or the operation's own
   */
  public <T> Uni<T> use(FilterName name, Function<Filter, Uni<T>> operation) {
    var remembered = known.getIfPresent(name);
    return remembered != null && isAlive(remembered)
        ? attempt(remembered, operation, 1)
        : find(name).chain(found -> attempt(found.filter(), operation, 1));
  }

  /** Like {@link #use}, for an operation on a thread that may wait. */
  public <T> T run(FilterName name, Function<Filter, T> operation) {
    var remembered = remembered(name).filter(this::isAlive);
    for (var attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if (attempt > 1) {
        replaced.increment();
      }
      var filter = remembered.orElseGet(() -> get(name).filter());
      requireReady(filter);
      try {
        return operation.apply(filter);
      } catch (StaleFilterException stale) {
        remembered = Optional.empty();
      }
    }
    throw FilterErrors.changed(name);
  }

  /**
   * Likewise, for an operation on any of the filter's segments: it counts only if the filter is
   * still the live one afterwards. The operation runs its scripts with {@link #onSegment}.
   */
  public <T> T runOnSegments(FilterName name, Function<Filter, T> operation) {
    return run(
        name,
        filter -> {
          var result = operation.apply(filter);
          if (filter.segments() > 1) {
            await(confirm(filter));
          }
          return result;
        });
  }

  /**
   * Confirms that a filter still is the live one under its name, or fails with {@link
   * StaleFilterException}.
   *
   * @return the generation that an open rebuild loads at this moment, if there is one
   */
  public Uni<Optional<Generation>> confirm(Filter filter) {
    return onSegment(filter, 0, () -> filters.verify(filter));
  }

  /**
   * Confirms it likewise after calls on several segments, none of which was of the moment of all:
   * so it is where a cluster keeps them apart.
   */
  public Uni<?> confirmUnless(boolean isConfirmed, Filter filter) {
    return filter.segments() == 1 || isConfirmed ? Uni.createFrom().voidItem() : confirm(filter);
  }

  /**
   * Runs one script on one segment, and again if that did not hold what the filter does: it waited
   * to be emptied, or the filter bore another name for a moment. Only this script is run again, as
   * what the operation did with other segments stands, and an element added twice would be taken
   * for one that was there.
   */
  public <T> Uni<T> onSegment(Filter filter, int segment, Supplier<Uni<T>> script) {
    return script
        .get()
        .onFailure(StaleFilterException.class)
        .recoverWithUni(stale -> again(filter, segment, stale, script));
  }

  private <T> Uni<T> again(Filter filter, int segment, Throwable failure, Supplier<Uni<T>> script) {
    return failure instanceof StaleFilterException stale
        ? catchUp(filter, segment, stale).chain(script::get)
        : Uni.createFrom().failure(failure);
  }

  /** Runs scripts on the segments of a filter, each with {@link #onSegment}. */
  public SegmentCalls calls(Filter filter) {
    return calls(filter, Durability.PRIMARY);
  }

  /** Likewise, and has adds reach so much. */
  public SegmentCalls calls(Filter filter, Durability durability) {
    return new SegmentCalls() {
      @Override
      public Durability durability() {
        return durability;
      }

      @Override
      public <T> Uni<T> on(int segment, Supplier<Uni<T>> call) {
        return onSegment(filter, segment, call);
      }

      @Override
      public <T> Uni<T> again(int segment, Throwable failure, Supplier<Uni<T>> call) {
        return LiveFilters.this.again(filter, segment, failure, call);
      }
    };
  }

  /** Fails with what it was given if the filter is another by now. */
  private Uni<Void> catchUp(Filter filter, int segment, StaleFilterException stale) {
    return find(filter.name())
        .map(StoredFilter::filter)
        .chain(
            now -> {
              if (!now.generation().equals(filter.generation())) {
                return Uni.createFrom().failure(stale);
              }
              behind.increment();
              if (segment == 0) {
                return Uni.createFrom().voidItem();
              }
              if (segment >= now.segments()) {
                // A failover has lost the layer: begin again with those there are.
                return Uni.createFrom().failure(stale);
              }
              return stale.gone()
                  ? Uni.createFrom()
                      .failure(
                          FilterErrors.damaged(now.name(), SegmentStore.stateKey(now, segment)))
                  : segments.reconcile(now, segment);
            });
  }

  /** Reads a filter as it is now, or fails with FILTER_NOT_FOUND. */
  public Uni<StoredFilter> find(FilterName name) {
    return filters
        .find(name)
        .map(
            found -> {
              if (found.isEmpty()) {
                forget(name);
                throw FilterErrors.notFound(name);
              }
              var filter = found.get().filter();
              requireSameParameters(filter);
              if (filter.isReady()) {
                known.put(name, filter);
              }
              return found.get();
            });
  }

  /** Within a generation none changes by itself, and its bits are where the first ones say. */
  private void requireSameParameters(Filter now) {
    var remembered = known.getIfPresent(now.name());
    if (remembered != null
        && remembered.generation().equals(now.generation())
        && !remembered.parameters().equals(now.parameters())) {
      throw FilterErrors.damaged(now.name(), SegmentStore.stateKey(now, 0));
    }
  }

  /** Likewise, on a thread that may wait. */
  public StoredFilter get(FilterName name) {
    return await(find(name));
  }

  /** Reads a filter as it is now, or fails with FILTER_NOT_FOUND or FILTER_NOT_READY. */
  public Filter getReady(FilterName name) {
    var filter = get(name).filter();
    requireReady(filter);
    return filter;
  }

  private static void requireReady(Filter filter) {
    if (!filter.isReady()) {
      throw FilterErrors.notReady(filter.name());
    }
  }

  /**
   * Reads a filter as it is now, or fails with FILTER_CHANGED if it holds other content than it
   * did, or more layers, with FILTER_NOT_FOUND if it is gone.
   */
  public Filter getUnchanged(Filter before) {
    var now = get(before.name()).filter();
    if (!now.generation().equals(before.generation()) || now.segments() != before.segments()) {
      throw FilterErrors.changed(before.name());
    }
    return now;
  }

  /** What is remembered of a name, which may not be so any more. */
  public Optional<Filter> remembered(FilterName name) {
    return Optional.ofNullable(known.getIfPresent(name));
  }

  /** Notes what a filter is like that was changed here. */
  public void remember(Filter filter) {
    known.put(filter.name(), filter);
  }

  /** Drops what is remembered of a name, after it was deleted or renamed here. */
  public void forget(FilterName name) {
    known.invalidate(name);
  }

  private boolean isAlive(Filter filter) {
    return filter.expiresAt().map(clock.instant()::isBefore).orElse(true);
  }

  private <T> Uni<T> attempt(Filter filter, Function<Filter, Uni<T>> operation, int attempt) {
    if (!filter.isReady()) {
      return Uni.createFrom().failure(FilterErrors.notReady(filter.name()));
    }
    return operation
        .apply(filter)
        .onFailure(StaleFilterException.class)
        .recoverWithUni(() -> again(filter.name(), operation, attempt + 1));
  }

  private <T> Uni<T> again(FilterName name, Function<Filter, Uni<T>> operation, int attempt) {
    if (attempt > MAX_ATTEMPTS) {
      return Uni.createFrom().failure(FilterErrors.changed(name));
    }
    replaced.increment();
    return find(name).chain(now -> attempt(now.filter(), operation, attempt));
  }
}
