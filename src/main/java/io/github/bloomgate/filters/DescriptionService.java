package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;
import static io.github.bloomgate.threads.Await.awaitEach;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.SliceStatistics;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.source.SourceStatus;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.RebuildStore;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.StaleFilterException;
import io.github.bloomgate.store.StoredFilter;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Describes filters, one by one and in pages. All fail with {@link BloomException}. */
@ApplicationScoped
public class DescriptionService {

  private static final int CALLS_AT_ONCE = 16;

  private final LiveFilters live;
  private final Glances glances;
  private final SegmentStore segments;
  private final RebuildStore rebuilds;
  private final Catalogue catalogue;
  private final Clock clock;

  public DescriptionService(
      LiveFilters live,
      Glances glances,
      SegmentStore segments,
      RebuildStore rebuilds,
      Catalogue catalogue,
      Clock clock) {
    this.live = live;
    this.glances = glances;
    this.segments = segments;
    this.rebuilds = rebuilds;
    this.catalogue = catalogue;
    this.clock = clock;
  }

  /** Describes a filter, its counts exact as of one moment per segment. */
  public Description describe(FilterName name) {
    return describe(live.get(name));
  }

  private Description describe(StoredFilter found) {
    var content = content(found);
    return content.describe(openRebuild(content.filter), found.source());
  }

  private Content content(StoredFilter found) {
    var filter = found.filter();
    var counted = found.segments();
    if (!counted.isEmpty()) {
      return new Content(filter, counted, filter.segments());
    }
    return filter.isReady()
        ? live.runOnSegments(
            filter.name(),
            now ->
                content(
                    now, segment -> live.onSegment(now, segment, () -> count(now, segment, found))))
        : progress(filter);
  }

  /** What was found of the first segment is not asked for once more. */
  private Uni<SegmentCounts> count(Filter now, int segment, StoredFilter found) {
    if (segment > 0 || now.isAdopted() || !now.generation().equals(found.filter().generation())) {
      return segments.count(now, segment);
    }
    return found.isFolded()
        ? Uni.createFrom().item(found.firstSegment())
        : segments.countJournaled(now, segment);
  }

  private Optional<RebuildDescription> openRebuild(Filter filter) {
    if (filter.next().isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(describeRebuild(filter.name()));
    } catch (BloomException failure) {
      if (isBeyondReading(failure)) {
        return Optional.empty();
      }
      throw failure;
    }
  }

  /**
   * Describes a filter that was just changed.
   *
   * @throws BloomException FILTER_CHANGED if others have deleted or renamed it since: not
   *     FILTER_NOT_FOUND, which would mean that the change was not made
   */
  public Description describeChanged(FilterName name) {
    return describeChanged(name, Optional.empty());
  }

  /** Likewise, as the change itself left it, if that is known. */
  public Description describeChanged(FilterName name, Optional<StoredFilter> found) {
    try {
      return describe(found.orElseGet(() -> live.get(name)));
    } catch (BloomException failure) {
      throw failure.code() == ErrorCode.FILTER_NOT_FOUND
          ? FilterErrors.changedSince(name)
          : failure;
    }
  }

  /**
   * Describes the rebuild that is open under a name.
   *
   * @throws BloomException REBUILD_NOT_FOUND if there is none
   */
  public RebuildDescription describeRebuild(FilterName name) {
    try {
      var rebuild = await(rebuilds.find(name)).orElseThrow(() -> RebuildErrors.notFound(name));
      var next = rebuild.next();
      var loaded =
          next.isReady() ? content(next, segment -> segments.count(next, segment)) : progress(next);
      return new RebuildDescription(
          rebuild,
          loaded.statistics(),
          loaded.segmentsReady,
          Duration.between(rebuild.openedAt(), clock.instant()));
    } catch (StaleFilterException stale) {
      throw RebuildErrors.notFound(name);
    }
  }

  private static Content content(Filter filter, Function<Integer, Uni<SegmentCounts>> count) {
    var segments = filter.segments();
    return new Content(filter, forSegments(0, segments, count), segments);
  }

  /** What is being made is empty; what is of interest is how far it has come. */
  private Content progress(Filter filter) {
    var made = forSegments(1, filter.segments(), segment -> segments.isMade(filter, segment));
    var ready = 1 + (int) made.stream().filter(Boolean::booleanValue).count();
    return new Content(filter, List.of(), ready);
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
          SliceStatistics.of(filter, counts),
          segmentsReady,
          SegmentStore.bitsKey(filter, 0),
          rebuild,
          source);
    }
  }

  private static <T> List<T> forSegments(int first, int end, Function<Integer, Uni<T>> call) {
    return awaitEach(IntStream.range(first, end).boxed().toList(), CALLS_AT_ONCE, call);
  }

  /**
   * Lists filters in the order of their names. Names whose filters have expired are dropped on the
   * way, so that a page may be shorter than asked for, even empty, and still have a next.
   *
   * @param prefixes what the names begin with; in order, and none begins with another
   * @param after the {@code next} of the page before
   * @param limit the most filters to return
   */
  public FilterPage list(List<String> prefixes, Optional<FilterName> after, int limit) {
    return page(prefixes, after, limit, false);
  }

  /** Likewise, with figures: a call more for an open rebuild, and for each layer but the first. */
  public FilterPage listWithFigures(List<String> prefixes, Optional<FilterName> after, int limit) {
    return page(prefixes, after, limit, true);
  }

  private FilterPage page(
      List<String> prefixes, Optional<FilterName> after, int limit, boolean withFigures) {
    var names = catalogue.page(prefixes, after, limit);
    var next =
        names.size() < limit ? Optional.<FilterName>empty() : Optional.of(names.get(limit - 1));
    return new FilterPage(glances.of(names, withFigures), next.map(Place::of), Optional.empty());
  }

  /** Whether a filter cannot be read as it is, or not any more; other filters can. */
  static boolean isBeyondReading(Throwable failure) {
    return failure instanceof BloomException error
        && (error.code() == ErrorCode.FILTER_DAMAGED
            || error.code() == ErrorCode.WRONG_KEY_TYPE
            || error.code() == ErrorCode.KEY_MISMATCH
            || error.code() == ErrorCode.REBUILD_NOT_FOUND
            || error.code() == ErrorCode.FILTER_NOT_FOUND);
  }
}
