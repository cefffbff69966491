package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.memory.Turns;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.FindReply;
import io.github.bloomgate.threads.Joined;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/**
 * Finds filters by name, with a cache. Every call to Redis that uses a cached filter names its
 * version, and is refused if the filter has another one by then. Thread-safe.
 */
@ApplicationScoped
public class LiveFilters {

  private static final int MAX_REMEMBERED = 10_000;

  /** The filters that are read at once for requests to several. */
  private static final int FINDS_AT_ONCE = 16;

  private final FilterStore store;
  private final FilterStates states;
  private final Clock clock;
  private final Cache<FilterName, Filter> known =
      Caffeine.newBuilder().maximumSize(MAX_REMEMBERED).build();
  private final Turns turns = new Turns(FINDS_AT_ONCE);

  public LiveFilters(FilterStore store, FilterStates states, Clock clock) {
    this.store = store;
    this.states = states;
    this.clock = clock;
  }

  /**
   * Reads a filter; fails with FILTER_NOT_FOUND, FILTER_DAMAGED, WRONG_KEY_TYPE, and if Redis is
   * unavailable.
   */
  public Uni<Filter> find(FilterName name) {
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
  public Filter note(FilterName name, FindReply reply, boolean isWithNext) {
    if (reply instanceof FindReply.Found found) {
      // An abandoned rebuild leaves only its incarnation behind.
      var next =
          found
              .next()
              .filter(
                  some -> found.state().next().equals(Optional.of(some.content().incarnation())));
      var filter = states.read(name, found.state(), next).withDueAt(dueAt(found));
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
  public Filter get(FilterName name) {
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
  public Generation getUnchanged(Generation before) {
    var now = get(before.name()).live();
    if (!now.content().equals(before.content())
        || !now.plan().layers().equals(before.plan().layers())) {
      throw FilterErrors.changed(before.name());
    }
    return now;
  }

  /** The cached filter, which may be outdated; empty if it has expired. */
  public Optional<Filter> remembered(FilterName name) {
    return Optional.ofNullable(known.getIfPresent(name)).filter(this::isAlive);
  }

  /** When to postpone its expiry, by the clock of this instance, which may differ from Redis's. */
  private Optional<Instant> dueAt(FindReply.Found found) {
    var now = Instant.ofEpochMilli(found.millis());
    var left = found.state().expiresAt().map(expiry -> Duration.between(now, expiry));
    return found
        .state()
        .idle()
        .flatMap(idle -> left.map(some -> clock.instant().plus(idle.untilDue(some))));
  }

  private boolean isAlive(Filter found) {
    return found.live().expiresAt().map(clock.instant()::isBefore).orElse(true);
  }

  /**
   * One or more filters, in order: the cached ones, and those read from Redis, as {@link
   * #find(List, boolean, Client)}.
   *
   * @param mayBeMissing whether to leave out filters that do not exist
   */
  public Uni<List<Filter>> rememberedOrFound(
      List<FilterName> names, boolean mayBeMissing, Client client) {
    var found = new ArrayList<Filter>(names.size());
    names.forEach(name -> remembered(name).ifPresent(found::add));
    if (found.size() == names.size()) {
      return Uni.createFrom().item(found);
    }
    var all = new HashMap<FilterName, Filter>();
    found.forEach(filter -> all.put(filter.live().name(), filter));
    var others = names.stream().filter(name -> !all.containsKey(name)).toList();
    return find(others, mayBeMissing, client)
        .map(
            read -> {
              read.forEach(filter -> all.put(filter.live().name(), filter));
              return names.stream().filter(all::containsKey).map(all::get).toList();
            });
  }

  /**
   * Reads one or more filters, in order; several a few at a time, when it is the client's turn.
   * Fails as {@link #find(FilterName)} with the first failure, and reads no more then.
   *
   * @param mayBeMissing whether to leave out filters that do not exist
   */
  public Uni<List<Filter>> find(List<FilterName> names, boolean mayBeMissing, Client client) {
    // One filter must not wait for those of other requests, which may be on a node that hangs.
    var takesTurns = names.size() > 1;
    var finds =
        names.stream()
            .map(name -> takesTurns ? turns.take(client, () -> find(name)) : find(name))
            .map(find -> orMissing(find, mayBeMissing))
            .toList();
    return Joined.all(finds, FINDS_AT_ONCE)
        .map(read -> read.stream().flatMap(Optional::stream).toList());
  }

  private static Uni<Optional<Filter>> orMissing(Uni<Filter> find, boolean mayBeMissing) {
    return find.map(Optional::of)
        .onFailure(failure -> mayBeMissing && ErrorCode.FILTER_NOT_FOUND.isOf(failure))
        .recoverWithItem(Optional::empty);
  }

  /** Drops a name from the cache. */
  public void forget(FilterName name) {
    known.invalidate(name);
  }
}
