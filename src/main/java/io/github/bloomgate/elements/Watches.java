package io.github.bloomgate.elements;

import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.store.StoredContent.Raw;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The filters whose copies are kept young, because tests with a {@code maxAge} asked for them in
 * the last minute. At most half of the memory for copies is used for them. If others use it, a
 * filter is not watched, and tests of it ask Redis. Thread-safe.
 */
@Singleton
public class Watches {

  /** Each takes part in a call several times a second. */
  private static final int MOST = 1_000;

  private static final Set<ErrorCode> GONE =
      Set.of(ErrorCode.FILTER_NOT_FOUND, ErrorCode.FILTER_DAMAGED, ErrorCode.WRONG_KEY_TYPE);

  private static final Duration UNUSED = Duration.ofMinutes(1);

  private final LiveFilters live;
  private final Rounds rounds;
  private final Map<FilterName, Watched> all = new ConcurrentHashMap<>();

  Watches(LiveFilters live, Rounds rounds, MeterRegistry metrics) {
    this.live = live;
    this.rounds = rounds;
    Gauge.builder("bloom.watched.filters", all, Map::size)
        .description("Number of filters whose copies are kept young.")
        .register(metrics);
    Gauge.builder("bloom.watched.age", this, Watches::oldest)
        .description("Age of the oldest copy of a watched filter.")
        .baseUnit("seconds")
        .register(metrics);
  }

  private double oldest() {
    return all.values().stream()
            .flatMap(watched -> watched.age().stream())
            .mapToLong(Duration::toMillis)
            .max()
            .orElse(0)
        / 1e3;
  }

  /** The filters with these names, if all are watched, which they will be for another minute. */
  Optional<List<Filter>> find(List<FilterName> names) {
    var found = new ArrayList<Filter>(names.size());
    for (var name : names) {
      var watched = all.get(name);
      if (watched == null) {
        return Optional.empty();
      }
      watched.ask();
      found.add(watched.filter());
    }
    return Optional.of(found);
  }

  /** A filter, if it is watched. Does not prolong that. */
  public Optional<Watched> watched(FilterName name) {
    return Optional.ofNullable(all.get(name));
  }

  /**
   * Watches a filter, if there is room.
   *
   * @return empty if copies of other filters leave no room
   * @throws BloomException INVALID_REQUEST if the filter cannot have copies; LIMIT_EXCEEDED if
   *     there could not be room for them
   */
  public Optional<Watched> watch(Filter filter) {
    require(filter.live());
    var name = filter.live().name();
    var known = askedAgain(name);
    if (known != null || !hasRoom(filter.live())) {
      return Optional.ofNullable(known);
    }
    var watched = new Watched(filter);
    var other = all.putIfAbsent(name, watched);
    if (other == null) {
      refresh(List.of(watched), Duration.ZERO);
    }
    return Optional.of(other == null ? watched : other);
  }

  /**
   * The watch of a filter, or null. In one step with {@link #endUnused}: a watch that was ended is
   * never refreshed again.
   */
  private Watched askedAgain(FilterName name) {
    return all.computeIfPresent(
        name,
        (same, watched) -> {
          watched.ask();
          return watched;
        });
  }

  private void require(Generation some) {
    if (some.storedContent() instanceof Raw) {
      throw RequestErrors.invalid(
          "The filter '%s' is a bitmap of another library's kind, without the journal that copies of it would need. It cannot be followed, and tests of it cannot have a maxAge."
              .formatted(some.name()));
    }
    var bytes = HeldSegments.bytes(some);
    if (bytes > rounds.mostWatched()) {
      throw RequestErrors.limitExceeded(
          "Copies of the filter '%s' take %d bytes; the limit for maxAge and for following is %d. Raise bloomgate.memory.copies to at least %d, or ask the service without maxAge."
              .formatted(some.name(), bytes, rounds.mostWatched(), 2 * bytes));
    }
  }

  private boolean hasRoom(Generation some) {
    var others =
        all.values().stream()
            .map(watched -> watched.filter().live())
            .filter(other -> !other.name().equals(some.name()))
            .toList();
    var bytes = HeldSegments.bytes(some) + others.stream().mapToLong(HeldSegments::bytes).sum();
    return others.size() < MOST && bytes <= rounds.mostWatched();
  }

  /**
   * Brings the copies of all watched filters up to date. Called several times a second.
   *
   * @param interval the time between two calls
   */
  void refreshAll(Duration interval) {
    if (!all.isEmpty()) {
      endUnused(Math.max(1, UNUSED.dividedBy(interval)));
      all.values().forEach(Watched::countRefresh);
      // Other calls may have done it.
      refresh(List.copyOf(all.values()), interval.dividedBy(2));
    }
  }

  /** No longer watches filters for which no test has asked during this number of refreshes. */
  void endUnused(long refreshes) {
    for (var name : all.keySet()) {
      all.computeIfPresent(name, (same, watched) -> watched.isUnused(refreshes) ? null : watched);
    }
  }

  /** Brings the copies of some filters up to date with the next call, as far as watched. */
  public void refresh(List<FilterName> names) {
    refresh(
        names.stream().flatMap(name -> Optional.ofNullable(all.get(name)).stream()).toList(),
        Duration.ZERO);
  }

  private void refresh(List<Watched> some, Duration young) {
    var refreshes = new LinkedHashMap<Watched, Refresh>();
    for (var watched : some) {
      if (watched.beginRefresh()) {
        refreshes.put(watched, new Refresh(watched.filter().live(), young));
      }
    }
    rounds.refresh(List.copyOf(refreshes.values()));
    refreshes.forEach(
        (watched, refresh) ->
            refresh
                .outcome()
                .subscribe()
                .with(
                    outcome -> end(watched, refresh, outcome),
                    defect -> watched.endRefresh(Optional.of(RoundFailures.known(defect)))));
  }

  private void end(Watched watched, Refresh refresh, Refresh.Outcome outcome) {
    switch (outcome) {
      case DONE -> {
        // Its expiry may have been postponed, which does not change its version.
        live.remembered(refresh.generation().name())
            .filter(known -> known.live().stored().equals(refresh.generation().stored()))
            .ifPresent(watched::follow);
        watched.endRefresh(refresh.generation().stored(), refresh.asOf(), refresh.failure());
        refresh.failure().ifPresent(failure -> endIfGone(watched, failure));
      }
      case OUTDATED -> {
        var name = refresh.generation().name();
        live.find(name)
            .subscribe()
            .with(
                found -> follow(watched, found),
                failure -> {
                  watched.endRefresh(Optional.of(RoundFailures.known(failure)));
                  endIfGone(watched, failure);
                });
      }
    }
  }

  /** No longer watches a filter if the next test must get the failure. */
  private void endIfGone(Watched watched, Throwable failure) {
    if (failure instanceof BloomException known && GONE.contains(known.code())) {
      end(watched, known);
    }
  }

  /** Watches another version, if there is room for it. */
  private void follow(Watched watched, Filter changed) {
    watched.endRefresh(Optional.empty());
    try {
      require(changed.live());
    } catch (BloomException impossible) {
      end(watched, impossible);
      return;
    }
    if (!hasRoom(changed.live())) {
      end(watched, noRoom(changed.live().name()));
      return;
    }
    watched.follow(changed);
    refresh(List.of(watched), Duration.ZERO);
  }

  private void end(Watched watched, BloomException reason) {
    watched.end(reason);
    all.remove(watched.filter().live().name(), watched);
  }

  /** The error while copies of other watched filters leave no room for this one. */
  public static BloomException noRoom(FilterName name) {
    return RequestErrors.limitExceeded(
        "There is no room for copies of the filter '%s' beside those of other filters that are followed, or tested with maxAge. Repeat the request later, or raise bloomgate.memory.copies."
            .formatted(name));
  }
}
