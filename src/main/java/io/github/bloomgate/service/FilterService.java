package io.github.bloomgate.service;

import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.error.Difference;
import io.github.bloomgate.error.ErrorCode;
import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.filter.Filter.Pending;
import io.github.bloomgate.filter.FilterName;
import io.github.bloomgate.filter.FilterParameters;
import io.github.bloomgate.filter.FilterStatistics;
import io.github.bloomgate.filter.Generation;
import io.github.bloomgate.filter.SegmentCounts;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StaleFilterException;
import io.github.bloomgate.store.StoredFilter;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/**
 * Creates, describes, lists, empties, dates, renames and deletes filters.
 *
 * <p>Each takes effect in one script; with several segments it is reported done when the others
 * have followed, see {@link Settler}. All fail with {@link BloomException}.
 */
@ApplicationScoped
public class FilterService {

  private static final Logger LOG = Logger.getLogger(FilterService.class);

  /** How long a request to create waits for the last segment before it answers "creating". */
  private static final Duration CREATION_WAIT = Duration.ofSeconds(5);

  private static final int CALLS_AT_ONCE = 16;
  private static final int MAX_ATTEMPTS = 5;

  private final LiveFilters live;
  private final FilterStore filters;
  private final SegmentStore segments;
  private final Catalogue catalogue;
  private final Settler settler;
  private final Clock clock;

  FilterService(
      LiveFilters live,
      FilterStore filters,
      SegmentStore segments,
      Catalogue catalogue,
      Settler settler,
      Clock clock) {
    this.live = live;
    this.filters = filters;
    this.segments = segments;
    this.catalogue = catalogue;
    this.settler = settler;
    this.clock = clock;
  }

  /**
   * Creates a filter, or finds one of the same parameters. The deadline of one that exists is left
   * as it is.
   *
   * @throws BloomException FILTER_EXISTS if one exists with other parameters, FILTER_DAMAGED if
   *     parts of one are in the way, STORE_FULL if Redis has no room for it
   */
  public Uni<CreateOutcome> create(
      FilterName name, FilterParameters parameters, Optional<Instant> expiresAt) {
    return create(name, parameters, expiresAt, 1);
  }

  private Uni<CreateOutcome> create(
      FilterName name, FilterParameters parameters, Optional<Instant> expiresAt, int attempt) {
    if (attempt > MAX_ATTEMPTS) {
      return Uni.createFrom().failure(BloomException.filterChanged(name));
    }
    var several = parameters.shape().segments() > 1;
    var filter =
        new Filter(
            name,
            parameters,
            Generation.first(),
            1,
            several ? Pending.CREATE : Pending.NOTHING,
            clock.instant(),
            expiresAt);
    return catalogue
        .add(name)
        .chain(() -> several ? createSeveral(filter) : filters.create(filter))
        .chain(
            created -> {
              if (created) {
                LOG.infof("Created filter %s: %s", name, parameters.shape());
                return catalogue
                    .add(name)
                    .chain(() -> describe(name))
                    .map(description -> new CreateOutcome(true, description));
              }
              return existing(name, parameters)
                  .chain(
                      found ->
                          found.isPresent()
                              ? Uni.createFrom().item(found.get())
                              : create(name, parameters, expiresAt, attempt + 1));
            });
  }

  /** Goes on in the background when it takes longer than a client would wait. */
  private Uni<Boolean> createSeveral(Filter filter) {
    var name = filter.name();
    var creation =
        settler
            .follow(name, () -> filters.create(filter))
            .onFailure(FilterService::isStoreFull)
            .call(() -> delete(name))
            .memoize()
            .indefinitely();
    creation
        .subscribe()
        .with(
            created -> {},
            failure -> LOG.warnf("Filter %s could not be created: %s", name, failure.getMessage()));
    return creation.ifNoItem().after(CREATION_WAIT).recoverWithItem(true);
  }

  private static boolean isStoreFull(Throwable failure) {
    return failure instanceof BloomException error && error.code() == ErrorCode.STORE_FULL;
  }

  private Uni<Optional<CreateOutcome>> existing(FilterName name, FilterParameters requested) {
    return filters
        .find(name)
        .chain(
            found -> {
              if (found.isEmpty()) {
                return Uni.createFrom().item(Optional.empty());
              }
              var differences = differences(found.get().filter().parameters(), requested);
              if (!differences.isEmpty()) {
                throw BloomException.filterExists(name, differences);
              }
              return describe(name)
                  .map(description -> Optional.of(new CreateOutcome(false, description)));
            });
  }

  private static List<Difference> differences(FilterParameters one, FilterParameters other) {
    var differences = new ArrayList<Difference>();
    compare(differences, "hashScheme", one, other, parameters -> parameters.hashScheme().id());
    compare(differences, "expectedInsertions", one, other, FilterParameters::expectedInsertions);
    compare(
        differences,
        "falsePositiveProbability",
        one,
        other,
        FilterParameters::falsePositiveProbability);
    compare(differences, "bitSize", one, other, parameters -> parameters.shape().bitSize());
    compare(
        differences,
        "numHashFunctions",
        one,
        other,
        parameters -> parameters.shape().numHashFunctions());
    compare(differences, "whenFull", one, other, FilterParameters::whenFull);
    return differences;
  }

  private static void compare(
      List<Difference> differences,
      String field,
      FilterParameters existing,
      FilterParameters requested,
      Function<FilterParameters, Object> value) {
    if (!Objects.equals(value.apply(existing), value.apply(requested))) {
      differences.add(new Difference(field, value.apply(existing), value.apply(requested)));
    }
  }

  /** Describes a filter, its counts exact as of one moment per segment. */
  public Uni<Description> describe(FilterName name) {
    return live.find(name)
        .chain(
            found -> {
              var filter = found.filter();
              if (filter.shape().segments() == 1) {
                return Uni.createFrom().item(description(filter, List.of(found.firstSegment()), 1));
              }
              return filter.isReady()
                  ? live.useSegments(name, this::describeSegments)
                  : describeProgress(found);
            });
  }

  private Uni<Description> describeSegments(Filter filter) {
    var count = filter.shape().segments();
    return forSegments(0, count, segment -> segments.count(filter, segment))
        .map(counts -> description(filter, counts, count));
  }

  /** A filter that is being created is empty; what is of interest is how far it has come. */
  private Uni<Description> describeProgress(StoredFilter found) {
    var filter = found.filter();
    return forSegments(1, filter.shape().segments(), segment -> isMade(filter, segment))
        .map(
            made -> {
              var ready = 1 + (int) made.stream().filter(Boolean::booleanValue).count();
              return description(filter, List.of(found.firstSegment()), ready);
            });
  }

  private Uni<Boolean> isMade(Filter filter, int segment) {
    return segments
        .count(filter, segment)
        .replaceWith(true)
        .onFailure(StaleFilterException.class)
        .recoverWithItem(false);
  }

  private static <T> Uni<List<T>> forSegments(int first, int end, Function<Integer, Uni<T>> call) {
    return Uni.join()
        .all(
            IntStream.range(first, end)
                .mapToObj(segment -> Uni.createFrom().deferred(() -> call.apply(segment)))
                .toList())
        .usingConcurrencyOf(CALLS_AT_ONCE)
        .andFailFast();
  }

  private static Description description(
      Filter filter, List<SegmentCounts> counts, int segmentsReady) {
    return new Description(
        filter,
        FilterStatistics.of(filter.shape(), counts),
        segmentsReady,
        FilterStore.bitmapKey(filter.name()));
  }

  /**
   * Lists filters in the order of their names. Names whose filters have expired are dropped on the
   * way, so that a page may be shorter than asked for, even empty, and still have a next.
   *
   * @param after the {@code next} of the page before
   * @param limit the most filters to return
   */
  public Uni<FilterPage> list(String prefix, Optional<FilterName> after, int limit) {
    return catalogue
        .page(prefix, after, limit)
        .chain(
            names -> {
              var next =
                  names.size() < limit
                      ? Optional.<FilterName>empty()
                      : Optional.of(names.get(limit - 1));
              if (names.isEmpty()) {
                return Uni.createFrom().item(new FilterPage(List.of(), next));
              }
              return Uni.join()
                  .all(names.stream().map(this::entry).toList())
                  .usingConcurrencyOf(CALLS_AT_ONCE)
                  .andFailFast()
                  .map(
                      entries ->
                          new FilterPage(
                              entries.stream().flatMap(Optional::stream).toList(), next));
            });
  }

  private Uni<Optional<FilterPage.Entry>> entry(FilterName name) {
    return filters
        .find(name)
        .onItem()
        .transformToUni(
            found ->
                found.isPresent()
                    ? Uni.createFrom()
                        .item(
                            Optional.of(
                                new FilterPage.Entry(name, found.map(StoredFilter::filter))))
                    : catalogue.remove(name).replaceWith(Optional.<FilterPage.Entry>empty()))
        .onFailure(FilterService::isBeyondReading)
        .recoverWithItem(() -> Optional.of(new FilterPage.Entry(name, Optional.empty())));
  }

  private static boolean isBeyondReading(Throwable failure) {
    return failure instanceof BloomException error
        && (error.code() == ErrorCode.FILTER_DAMAGED || error.code() == ErrorCode.WRONG_KEY_TYPE);
  }

  /** Deletes a filter, whole or damaged. */
  public Uni<Void> delete(FilterName name) {
    return settler
        .follow(name, () -> filters.delete(name))
        .eventually(() -> live.forget(name))
        .call(() -> catalogue.remove(name))
        .invoke(
            deleted -> {
              if (!deleted) {
                throw BloomException.filterNotFound(name);
              }
              LOG.infof("Deleted filter %s", name);
            })
        .replaceWithVoid();
  }

  /** Empties a filter; its parameters and its deadline stay. */
  public Uni<Description> clear(FilterName name) {
    return change(name, filters::clear)
        .invoke(() -> LOG.infof("Cleared filter %s", name))
        .chain(() -> describe(name));
  }

  /** Sets the deadline at which a filter vanishes, or removes it. */
  public Uni<Description> expire(FilterName name, Optional<Instant> expiresAt) {
    return change(name, filter -> filters.expire(filter, expiresAt)).chain(() -> describe(name));
  }

  private Uni<Void> change(FilterName name, Function<Filter, Uni<Void>> change) {
    return live.use(
        name,
        filter ->
            filter.shape().segments() == 1
                ? change.apply(filter)
                : settler.follow(name, () -> change.apply(filter)));
  }

  /**
   * Renames a filter, its content and deadline included, in one step for its readers.
   *
   * @param replace whether a filter that bears the new name is dropped for it
   * @throws BloomException FILTER_EXISTS if the new name is taken and not to be replaced
   */
  public Uni<Description> rename(FilterName from, FilterName to, boolean replace) {
    if (from.equals(to)) {
      return Uni.createFrom()
          .failure(
              BloomException.invalidRequest(
                  "The filter already has the name '%s'. Send another name as 'to'."
                      .formatted(to)));
    }
    return catalogue
        .add(to)
        .chain(() -> settler.follow(to, () -> filters.rename(from, to, replace)))
        .onTermination()
        .invoke(
            () -> {
              live.forget(from);
              live.forget(to);
            })
        .call(renamed -> renamed ? catalogue.add(to) : catalogue.remove(to))
        .call(() -> catalogue.remove(from))
        .chain(
            renamed -> {
              if (!renamed) {
                throw BloomException.filterNotFound(from);
              }
              LOG.infof("Renamed filter %s to %s", from, to);
              return describe(to);
            });
  }
}
