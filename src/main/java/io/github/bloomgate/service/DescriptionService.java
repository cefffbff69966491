package io.github.bloomgate.service;

import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.error.ErrorCode;
import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.filter.FilterName;
import io.github.bloomgate.filter.FilterStatistics;
import io.github.bloomgate.filter.SegmentCounts;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StaleFilterException;
import io.github.bloomgate.store.StoredFilter;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Describes filters, one by one and in pages. All fail with {@link BloomException}. */
@ApplicationScoped
public class DescriptionService {

  private static final int CALLS_AT_ONCE = 16;

  private final LiveFilters live;
  private final FilterStore filters;
  private final SegmentStore segments;
  private final Catalogue catalogue;

  DescriptionService(
      LiveFilters live, FilterStore filters, SegmentStore segments, Catalogue catalogue) {
    this.live = live;
    this.filters = filters;
    this.segments = segments;
    this.catalogue = catalogue;
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
    return forSegments(
            0,
            count,
            segment -> live.onSegment(filter, segment, () -> segments.count(filter, segment)))
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
        .onFailure(DescriptionService::isBeyondReading)
        .recoverWithItem(() -> Optional.of(new FilterPage.Entry(name, Optional.empty())));
  }

  private static boolean isBeyondReading(Throwable failure) {
    return failure instanceof BloomException error
        && (error.code() == ErrorCode.FILTER_DAMAGED || error.code() == ErrorCode.WRONG_KEY_TYPE);
  }
}
