package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.segment.SegmentCounts;
import java.util.List;
import java.util.OptionalLong;

/**
 * Statistics about the content of a filter.
 *
 * @param bitsSet bits that are 1, or counters above 0; exact
 * @param insertions adds that changed a bit, less removals; exact unless the filter was merged or
 *     imported from a file without this number; includes expired elements
 * @param fillRatio share of bits that are 1, 0 to 1
 * @param approximateElementCount estimate of the distinct elements, from the bits alone; empty if a
 *     segment is saturated
 * @param estimatedFalsePositiveProbability the current false-positive rate
 * @param saturatedCounters counters that have reached their limit, in a filter with counters
 * @param isOverfull whether a window has more elements than expected, so that its rate may be above
 *     p
 */
public record FilterStatistics(
    long bitsSet,
    long insertions,
    double fillRatio,
    OptionalLong approximateElementCount,
    double estimatedFalsePositiveProbability,
    long saturatedCounters,
    boolean isOverfull) {

  /** Combines the counts of all segments. */
  public static FilterStatistics of(Filter filter, List<SegmentCounts> segments) {
    if (filter.window().isPresent()) {
      return SliceStatistics.join(filter, segments);
    }
    return filter.layers().size() == 1
        ? of(places(filter, filter.shape()), segments)
        : join(filter, ofLayers(filter, segments));
  }

  /** The statistics of each layer. */
  public static List<FilterStatistics> ofLayers(Filter filter, List<SegmentCounts> segments) {
    return filter.layers().stream()
        .map(
            layer ->
                of(
                    places(filter, layer.shape()),
                    segments.subList(layer.firstSegment(), layer.endSegment())))
        .toList();
  }

  private static FilterShape places(Filter filter, FilterShape bitmaps) {
    return filter.isCounting() ? Counters.of(bitmaps) : bitmaps;
  }

  /**
   * An element is in one layer only, but a false positive of any layer makes the answer "maybe".
   */
  private static FilterStatistics join(Filter filter, List<FilterStatistics> layers) {
    var bitsSet = layers.stream().mapToLong(FilterStatistics::bitsSet).sum();
    var elements = OptionalLong.of(0);
    // The logarithm of the probability that no layer does, which keeps the digits of small rates.
    var none = 0.0;
    for (var layer : layers) {
      var count = layer.approximateElementCount;
      elements = sum(elements, count);
      none += Math.log1p(-layer.estimatedFalsePositiveProbability);
    }
    return new FilterStatistics(
        bitsSet,
        layers.stream().mapToLong(FilterStatistics::insertions).sum(),
        (double) bitsSet / filter.bitSize(),
        elements,
        -Math.expm1(none),
        0,
        false);
  }

  /** Empty if one of them is unknown. */
  static OptionalLong sum(OptionalLong one, OptionalLong other) {
    return one.isPresent() && other.isPresent()
        ? OptionalLong.of(one.getAsLong() + other.getAsLong())
        : OptionalLong.empty();
  }

  /** Combines the counts of all segments of one layer, whose element positions have this shape. */
  public static FilterStatistics of(FilterShape shape, List<SegmentCounts> segments) {
    var bitsSet = 0L;
    var insertions = 0L;
    var saturated = 0L;
    var elements = OptionalLong.of(0);
    var rates = 0.0;
    for (var segment : segments) {
      var set = segment.placesSet();
      bitsSet += set;
      saturated += segment.fullCounters();
      insertions += segment.insertions();
      var count =
          Sizing.approximateElementCount(set, shape.segmentBits(), shape.numHashFunctions());
      elements = sum(elements, count);
      var fill = (double) set / shape.segmentBits();
      rates += Math.pow(fill, shape.numHashFunctions());
    }
    return new FilterStatistics(
        bitsSet,
        insertions,
        (double) bitsSet / shape.bitSize(),
        elements,
        rates / shape.segments(),
        saturated,
        false);
  }
}
