package io.github.bloomgate.filters;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.source.SourceStatus;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.RebuildStore;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.SourceStore;
import io.github.bloomgate.store.StaleFilterException;
import io.github.bloomgate.store.StoredFilter;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
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
  private final RebuildStore rebuilds;
  private final SourceStore sources;
  private final Catalogue catalogue;
  private final Clock clock;

  public DescriptionService(
      LiveFilters live,
      FilterStore filters,
      SegmentStore segments,
      RebuildStore rebuilds,
      SourceStore sources,
      Catalogue catalogue,
      Clock clock) {
    this.live = live;
    this.filters = filters;
    this.segments = segments;
    this.rebuilds = rebuilds;
    this.sources = sources;
    this.catalogue = catalogue;
    this.clock = clock;
  }

  /** Describes a filter, its counts exact as of one moment per segment. */
  public Uni<Description> describe(FilterName name) {
    return live.find(name)
        .chain(
            found -> {
              var filter = found.filter();
              if (filter.segments() == 1 && !filter.isAdopted() && found.isFolded()) {
                return Uni.createFrom().item(new Content(filter, List.of(found.firstSegment()), 1));
              }
              return filter.isReady()
                  ? live.useSegments(
                      name,
                      now ->
                          content(
                              now,
                              segment ->
                                  live.onSegment(now, segment, () -> segments.count(now, segment))))
                  : progress(filter);
            })
        .chain(
            content ->
                Uni.combine()
                    .all()
                    .unis(openRebuild(content.filter), source(name))
                    .with(content::describe));
  }

  private Uni<Optional<SourceStatus>> source(FilterName name) {
    return sources
        .find(name)
        .map(SourceStore.Found::source)
        .onFailure(DescriptionService::isBeyondReading)
        .recoverWithItem(Optional::empty);
  }

  private Uni<Optional<RebuildDescription>> openRebuild(Filter filter) {
    return filter.next().isEmpty()
        ? Uni.createFrom().item(Optional.empty())
        : describeRebuild(filter.name())
            .map(Optional::of)
            .onFailure(DescriptionService::isBeyondReading)
            .recoverWithItem(Optional::empty);
  }

  /**
   * Describes a filter that was just changed.
   *
   * @throws BloomException FILTER_CHANGED if others have deleted or renamed it since: not
   *     FILTER_NOT_FOUND, which would mean that the change was not made
   */
  public Uni<Description> describeChanged(FilterName name) {
    return describe(name)
        .onFailure(DescriptionService::isNotFound)
        .transform(gone -> FilterErrors.changedSince(name));
  }

  static boolean isNotFound(Throwable failure) {
    return failure instanceof BloomException error && error.code() == ErrorCode.FILTER_NOT_FOUND;
  }

  /**
   * Describes the rebuild that is open under a name.
   *
   * @throws BloomException REBUILD_NOT_FOUND if there is none
   */
  public Uni<RebuildDescription> describeRebuild(FilterName name) {
    return rebuilds
        .find(name)
        .chain(
            found -> {
              var rebuild = found.orElseThrow(() -> RebuildErrors.notFound(name));
              var next = rebuild.next();
              var content =
                  next.isReady()
                      ? content(next, segment -> segments.count(next, segment))
                      : progress(next);
              return content.map(
                  loaded ->
                      new RebuildDescription(
                          rebuild,
                          loaded.statistics(),
                          loaded.segmentsReady,
                          Duration.between(rebuild.openedAt(), clock.instant())));
            })
        .onFailure(StaleFilterException.class)
        .transform(stale -> RebuildErrors.notFound(name));
  }

  private static Uni<Content> content(Filter filter, Function<Integer, Uni<SegmentCounts>> count) {
    var segments = filter.segments();
    return forSegments(0, segments, count).map(counts -> new Content(filter, counts, segments));
  }

  /** What is being made is empty; what is of interest is how far it has come. */
  private Uni<Content> progress(Filter filter) {
    return forSegments(1, filter.segments(), segment -> segments.isMade(filter, segment))
        .map(
            made -> {
              var ready = 1 + (int) made.stream().filter(Boolean::booleanValue).count();
              return new Content(filter, List.of(), ready);
            });
  }

  private record Content(Filter filter, List<SegmentCounts> counts, int segmentsReady) {

    private FilterStatistics statistics() {
      return FilterStatistics.of(filter, counts);
    }

    private Description describe(
        Optional<RebuildDescription> rebuild, Optional<SourceStatus> source) {
      return new Description(
          filter,
          statistics(),
          FilterStatistics.ofLayers(filter, counts),
          segmentsReady,
          SegmentStore.bitsKey(filter, 0),
          rebuild,
          source);
    }
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

  /**
   * Lists filters in the order of their names. Names whose filters have expired are dropped on the
   * way, so that a page may be shorter than asked for, even empty, and still have a next.
   *
   * @param prefixes what the names begin with; in order, and none begins with another
   * @param after the {@code next} of the page before
   * @param limit the most filters to return
   */
  public Uni<FilterPage> list(List<String> prefixes, Optional<FilterName> after, int limit) {
    return list(prefixes, after, limit, found -> Uni.createFrom().item(Optional.empty()));
  }

  /** Likewise, with figures, for one more call a filter. */
  public Uni<FilterPage> listWithFigures(
      List<String> prefixes, Optional<FilterName> after, int limit) {
    return list(
        prefixes,
        after,
        limit,
        found ->
            source(found.filter().name())
                .map(source -> Optional.of(new FilterPage.Figures(glance(found), source))));
  }

  private static Optional<FilterStatistics> glance(StoredFilter found) {
    var filter = found.filter();
    return filter.isAdopted() || filter.layers().size() > 1
        ? Optional.empty()
        : Optional.of(
            FilterStatistics.of(
                filter.shape(), Collections.nCopies(filter.segments(), found.firstSegment())));
  }

  private Uni<FilterPage> list(
      List<String> prefixes,
      Optional<FilterName> after,
      int limit,
      Function<StoredFilter, Uni<Optional<FilterPage.Figures>>> figures) {
    return names(prefixes, after, limit)
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
                  .all(names.stream().map(name -> entry(name, figures)).toList())
                  .usingConcurrencyOf(CALLS_AT_ONCE)
                  .andFailFast()
                  .map(
                      entries ->
                          new FilterPage(
                              entries.stream().flatMap(Optional::stream).toList(), next));
            });
  }

  /** The names of each prefix follow those of the one before, so a page may take from several. */
  private Uni<List<FilterName>> names(
      List<String> prefixes, Optional<FilterName> after, int limit) {
    var page = Uni.createFrom().<List<FilterName>>item(new ArrayList<>());
    for (var prefix : prefixes) {
      page =
          page.chain(
              names ->
                  names.size() == limit
                      ? Uni.createFrom().item(names)
                      : catalogue
                          .page(prefix, after, limit - names.size())
                          .map(
                              more -> {
                                names.addAll(more);
                                return names;
                              }));
    }
    return page;
  }

  private Uni<Optional<FilterPage.Entry>> entry(
      FilterName name, Function<StoredFilter, Uni<Optional<FilterPage.Figures>>> figures) {
    return filters
        .find(name)
        .onItem()
        .transformToUni(
            found ->
                found.isPresent()
                    ? figures
                        .apply(found.get())
                        .map(
                            known ->
                                Optional.of(
                                    new FilterPage.Entry(
                                        name, found.map(StoredFilter::filter), known)))
                    : catalogue.remove(name).replaceWith(Optional.<FilterPage.Entry>empty()))
        .onFailure(DescriptionService::isBeyondReading)
        .recoverWithItem(
            () -> Optional.of(new FilterPage.Entry(name, Optional.empty(), Optional.empty())));
  }

  static boolean isBeyondReading(Throwable failure) {
    return failure instanceof BloomException error
        && (error.code() == ErrorCode.FILTER_DAMAGED
            || error.code() == ErrorCode.WRONG_KEY_TYPE
            || error.code() == ErrorCode.KEY_MISMATCH
            || error.code() == ErrorCode.REBUILD_NOT_FOUND
            || error.code() == ErrorCode.FILTER_NOT_FOUND);
  }
}
