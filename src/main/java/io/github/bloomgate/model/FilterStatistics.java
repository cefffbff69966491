package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.Sizing;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the content of a filter amounts to.
 *
 * @param bitsSet bits that are 1, exact; of a filter that counts the counters that are not 0
 * @param insertions adds that changed a bit, exact; after a merge, or an import of a file that does
 *     not tell it, an estimate; where elements are forgotten, all that were ever new; where they
 *     can be removed, less those that were
 * @param fillRatio share of bits that are 1, 0 to 1
 * @param approximateElementCount estimate of how many distinct elements were added, from the bits
 *     alone; empty when a segment is saturated
 * @param estimatedFalsePositiveProbability how likely an element never added is answered maybe now
 * @param saturatedCounters of a filter that counts, counters that count no further and stay
 * @param isOverfull whether a window got more elements than it is made for, so that its rate may be
 *     above p
 */
public record FilterStatistics(
    long bitsSet,
    long insertions,
    double fillRatio,
    OptionalLong approximateElementCount,
    double estimatedFalsePositiveProbability,
    long saturatedCounters,
    boolean isOverfull) {

  /** Of a filter that neither counts nor forgets. */
  FilterStatistics(
      long bitsSet,
      long insertions,
      double fillRatio,
      OptionalLong approximateElementCount,
      double estimatedFalsePositiveProbability) {
    this(
        bitsSet,
        insertions,
        fillRatio,
        approximateElementCount,
        estimatedFalsePositiveProbability,
        0,
        false);
  }

  /** Joins the counts of all segments of a filter; of none while they are being made. */
  public static FilterStatistics of(Filter filter, List<SegmentCounts> segments) {
    if (filter.window().isPresent()) {
      return SliceStatistics.join(filter, segments);
    }
    return filter.layers().size() == 1
        ? of(places(filter, filter.shape()), segments)
        : join(filter, ofLayers(filter, segments));
  }

  /** Likewise for each of its layers. */
  public static List<FilterStatistics> ofLayers(Filter filter, List<SegmentCounts> segments) {
    return filter.layers().stream()
        .map(
            layer ->
                of(
                    places(filter, layer.shape()),
                    segments.isEmpty()
                        ? segments
                        : segments.subList(layer.firstSegment(), layer.endSegment())))
        .toList();
  }

  /** What is counted for a segment are its bits, or those of its counters that are not 0. */
  private static FilterShape places(Filter filter, FilterShape bitmaps) {
    return filter.isCounting() ? Counters.of(bitmaps) : bitmaps;
  }

  /** An element is in one layer only, but is answered maybe if any takes it for one of its own. */
  private static FilterStatistics join(Filter filter, List<FilterStatistics> layers) {
    var bitsSet = layers.stream().mapToLong(FilterStatistics::bitsSet).sum();
    var bits = filter.layers().stream().mapToLong(layer -> layer.shape().bitSize()).sum();
    var elements = OptionalLong.of(0);
    // The logarithm of how likely no layer does, which keeps the digits of small rates.
    var none = 0.0;
    for (var layer : layers) {
      var count = layer.approximateElementCount;
      elements = sum(elements, count);
      none += Math.log1p(-layer.estimatedFalsePositiveProbability);
    }
    return new FilterStatistics(
        bitsSet,
        layers.stream().mapToLong(FilterStatistics::insertions).sum(),
        (double) bitsSet / bits,
        elements,
        -Math.expm1(none));
  }

  /** Empty where one of both is not known. */
  static OptionalLong sum(OptionalLong one, OptionalLong other) {
    return one.isPresent() && other.isPresent()
        ? OptionalLong.of(one.getAsLong() + other.getAsLong())
        : OptionalLong.empty();
  }

  /**
   * Joins the counts of all segments of one layer, of which an element has places of this shape.
   */
  public static FilterStatistics of(FilterShape shape, List<SegmentCounts> segments) {
    var bitsSet = 0L;
    var insertions = 0L;
    var saturated = 0L;
    var elements = OptionalLong.of(0);
    var rates = 0.0;
    for (var segment : segments) {
      var set = segment.placesSet();
      bitsSet += set;
      saturated += segment.counters().map(CounterCounts::full).orElse(0L);
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
