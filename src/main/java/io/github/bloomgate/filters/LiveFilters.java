package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.FindReply;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * Finds filters by name, with a cache. Every call to Redis that uses a cached filter names its
 * version, and is refused if the filter has another one by then. Thread-safe.
 */
@ApplicationScoped
public class LiveFilters {

  private static final int MAX_REMEMBERED = 10_000;

  private final FilterStore store;
  private final FilterStates states;
  private final Clock clock;
  private final Cache<FilterName, FoundFilter> known =
      Caffeine.newBuilder().maximumSize(MAX_REMEMBERED).build();

  public LiveFilters(FilterStore store, FilterStates states, Clock clock) {
    this.store = store;
    this.states = states;
    this.clock = clock;
  }

  /**
   * Reads a filter; fails with FILTER_NOT_FOUND, FILTER_DAMAGED, WRONG_KEY_TYPE, and if Redis is
   * unavailable.
   */
  public Uni<FoundFilter> find(FilterName name) {
    var last = known.getIfPresent(name);
    return (last != null && last.next().isPresent() ? findBoth(name) : store.findWhole(name))
        .map(reply -> note(name, reply, true));
  }

  /** Fails if the rebuild has ended and the slot is being moved; a second call then succeeds. */
  private Uni<FindReply> findBoth(FilterName name) {
    return store.find(name, true, List.of()).onFailure().invoke(() -> forget(name));
  }

  /**
   * Caches the result of a read; fails as {@link #find}. A filter with an open rebuild is cached
   * only together with it, because adds must go to both generations.
   *
   * @param isWithNext whether the next generation was read too
   */
  public FoundFilter note(FilterName name, FindReply reply, boolean isWithNext) {
    if (reply instanceof FindReply.Found found) {
      // An abandoned rebuild leaves only its incarnation behind.
      var next =
          found
              .next()
              .filter(
                  some -> found.state().next().equals(Optional.of(some.content().incarnation())));
      var filter = states.read(name, found.state(), next);
      if (isWithNext || found.state().next().isEmpty()) {
        known.put(name, filter);
      } else {
        known.invalidate(name);
      }
      return filter;
    }
    known.invalidate(name);
    if (reply instanceof FindReply.Damaged damaged) {
      throw FilterErrors.damaged(name, damaged.key());
    }
    throw FilterErrors.notFound(name);
  }

  /** Reads a filter. Blocks. */
  public FoundFilter get(FilterName name) {
    return await(find(name));
  }

  /**
   * Whether there is a filter, if only a damaged one. Blocks. Fails if Redis is unavailable,
   * because then it is unknown.
   */
  public boolean exists(FilterName name) {
    try {
      get(name);
      return true;
    } catch (BloomException failure) {
      return switch (failure.code()) {
        case FILTER_NOT_FOUND -> false;
        case FILTER_DAMAGED, WRONG_KEY_TYPE -> true;
        default -> throw failure;
      };
    }
  }

  /** Reads a filter; fails with FILTER_CHANGED if its content or layers have changed. */
  public Filter getUnchanged(Filter before) {
    var now = get(before.name()).live();
    if (!now.content().equals(before.content())
        || !now.plan().layers().equals(before.plan().layers())) {
      throw FilterErrors.changed(before.name());
    }
    return now;
  }

  /** The cached filter, which may be outdated; empty if it has expired. */
  public Optional<FoundFilter> remembered(FilterName name) {
    return Optional.ofNullable(known.getIfPresent(name)).filter(this::isAlive);
  }

  private boolean isAlive(FoundFilter found) {
    return found.live().expiresAt().map(clock.instant()::isBefore).orElse(true);
  }

  /** The cached filter, or the filter read from Redis. */
  public Uni<FoundFilter> rememberedOrFound(FilterName name) {
    return remembered(name).map(found -> Uni.createFrom().item(found)).orElseGet(() -> find(name));
  }

  /** Drops a name from the cache. */
  public void forget(FilterName name) {
    known.invalidate(name);
  }

  public Attempts attempts(FilterName name) {
    return new Attempts(this, name);
  }
}
