package io.github.bloomgate.store;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.SegmentCounts;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What the content of a filter amounts to, without a look at its bits: what the first segment of
 * each layer counted when its bitmap was last written, taken for all of the layer, as elements
 * spread evenly over segments.
 */
public final class Glance {

  private Glance() {}

  /** Whether the first segment tells all that can be told. */
  public static boolean isWhole(StoredFilter found) {
    return found.filter().isAdopted() || found.filter().layers().size() == 1;
  }

  /** By the first segment alone. */
  public static Optional<FilterStatistics> atFirst(StoredFilter found) {
    return found.filter().isAdopted()
        ? Optional.empty()
        : Optional.of(statistics(found.filter(), List.of(found.firstSegment())));
  }

  /**
   * Takes one small call for each layer behind the first.
   *
   * @return empty if another library writes the filter, of which nobody counts the bits, or it
   *     changes at this moment; or a failure, FILTER_DAMAGED or WRONG_KEY_TYPE
   */
  public static Uni<Optional<FilterStatistics>> at(StoredFilter found, SegmentStore segments) {
    var filter = found.filter();
    if (isWhole(found)) {
      return Uni.createFrom().item(atFirst(found));
    }
    return Multi.createFrom()
        .iterable(filter.layers())
        .onItem()
        .transformToUniAndConcatenate(
            layer ->
                layer.firstSegment() == 0
                    ? Uni.createFrom().item(found.firstSegment())
                    : segments.lastCount(filter, layer.firstSegment()))
        .collect()
        .asList()
        .map(counts -> Optional.of(statistics(filter, counts)))
        .onFailure(StaleFilterException.class)
        .recoverWithItem(Optional.empty());
  }

  private static FilterStatistics statistics(Filter filter, List<SegmentCounts> first) {
    return FilterStatistics.of(filter, ofAllSegments(filter, first));
  }

  private static List<SegmentCounts> ofAllSegments(Filter filter, List<SegmentCounts> first) {
    var all = new ArrayList<SegmentCounts>();
    for (var i = 0; i < first.size(); i++) {
      all.addAll(Collections.nCopies(filter.layers().get(i).shape().segments(), first.get(i)));
    }
    return all;
  }
}
