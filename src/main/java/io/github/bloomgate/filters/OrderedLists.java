package io.github.bloomgate.filters;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.store.Catalogue;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lists filters in the order of their figures, over all pages. For that the figures of all are
 * read, a few at a time and now and then, see {@link Rankings}; those of the page that is asked for
 * are read then.
 */
@ApplicationScoped
public class OrderedLists {

  /** The most filters in one order. */
  public static final int MAX_FILTERS = 100_000;

  /** As many sets of filters are kept in order as are asked for by turns. */
  private static final int KEPT = 16;

  private static final Duration UNUSED = Duration.ofMinutes(2);
  private static final int READ_AT_ONCE = 500;

  /** An order that is younger is as current as the figures of a page. */
  private static final Duration CURRENT = Duration.ofSeconds(2);

  private final Catalogue catalogue;
  private final Glances glances;
  private final MemoryBudget memory;
  private final Clock clock;
  private final int most;
  private final Cache<List<String>, Rankings> rankings =
      Caffeine.newBuilder()
          .maximumSize(KEPT)
          .expireAfterAccess(UNUSED)
          .removalListener(
              (List<String> prefixes, Rankings kept, RemovalCause cause) -> kept.forget())
          .build();

  @Inject
  OrderedLists(Catalogue catalogue, Glances glances, MemoryBudget memory, Clock clock) {
    this(catalogue, glances, memory, clock, MAX_FILTERS);
  }

  OrderedLists(Catalogue catalogue, Glances glances, MemoryBudget memory, Clock clock, int most) {
    this.catalogue = catalogue;
    this.glances = glances;
    this.memory = memory;
    this.clock = clock;
    this.most = most;
  }

  /**
   * A page of filters.
   *
   * @param prefixes what the names begin with; in order, and none begins with another
   * @param after the {@code next} of the page before, in the same order
   * @throws BloomException LIMIT_EXCEEDED if there are too many, OVERLOADED if there is no memory
   *     for them
   */
  public FilterPage list(
      FilterOrder order,
      List<String> prefixes,
      Optional<Place> after,
      int limit,
      boolean withFigures) {
    var ranking = rankings.get(prefixes, this::rankings).now();
    var places = ranking.page(order, after, limit);
    var age = Duration.between(ranking.readAt(), clock.instant());
    return new FilterPage(
        glances.of(places.stream().map(Place::name).toList(), withFigures),
        places.size() < limit ? Optional.empty() : Optional.of(places.get(limit - 1)),
        Optional.of(ranking.readAt()).filter(at -> age.compareTo(CURRENT) > 0));
  }

  private Rankings rankings(List<String> prefixes) {
    return new Rankings(
        () -> read(prefixes), ranking -> memory.giveBack(Use.ORDERS, ranking.bytes()));
  }

  private Ranking read(List<String> prefixes) {
    var count = prefixes.stream().mapToLong(catalogue::count).sum();
    if (count > most) {
      throw RequestErrors.limitExceeded(
          "%d filters are too many to be ordered by their figures; %d are not. Ask for a longer prefix, or for the order of names."
              .formatted(count, most));
    }
    var bytes = count * Ranking.BYTES_EACH;
    memory.takeOrWait(Use.ORDERS, bytes);
    try {
      return new Ranking(clock.instant(), bytes, readAll(prefixes));
    } catch (RuntimeException | Error failure) {
      memory.giveBack(Use.ORDERS, bytes);
      throw failure;
    }
  }

  private List<Ranking.Ranked> readAll(List<String> prefixes) {
    var ranked = new ArrayList<Ranking.Ranked>();
    var after = Optional.<FilterName>empty();
    List<FilterName> names;
    do {
      names = catalogue.page(prefixes, after, READ_AT_ONCE);
      glances.of(names, true).forEach(entry -> ranked.add(Ranking.Ranked.of(entry)));
      after = names.isEmpty() ? after : Optional.of(names.get(names.size() - 1));
    } while (names.size() == READ_AT_ONCE);
    return ranked;
  }
}
