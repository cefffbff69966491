package io.github.bloomgate.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
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
    @JsonIgnore long saturatedCounters,
    @JsonIgnore boolean isOverfull) {

  /** Combines the counts of all segments. */
  public static FilterStatistics of(FilterPlan plan, List<SegmentCounts> segments) {
    var layers = ofLayers(plan, segments);
    return layers.size() == 1 ? layers.get(0) : join(plan, layers);
  }

  public static List<FilterStatistics> ofLayers(FilterPlan plan, List<SegmentCounts> segments) {
    return plan.layers().stream()
        .map(
            layer ->
                of(
                    plan.parameters(),
                    layer,
                    segments.subList(layer.firstSegment(), layer.endSegment())))
        .toList();
  }

  /**
   * An element is in one layer only, but a false positive of any layer makes the answer "maybe".
   */
  private static FilterStatistics join(FilterPlan plan, List<FilterStatistics> layers) {
    var bitsSet = layers.stream().mapToLong(FilterStatistics::bitsSet).sum();
    var elements = OptionalLong.of(0);
    // The logarithm of the probability that no layer does, which keeps the digits of small rates.
    var none = 0.0;
    for (var layer : layers) {
      elements = sum(elements, layer.approximateElementCount);
      none += Math.log1p(-layer.estimatedFalsePositiveProbability);
    }
    return new FilterStatistics(
        bitsSet,
        layers.stream().mapToLong(FilterStatistics::insertions).sum(),
        (double) bitsSet / plan.bitSize(),
        elements,
        -Math.expm1(none),
        0,
        false);
  }

  /** Empty if one of them is unknown. */
  private static OptionalLong sum(OptionalLong one, OptionalLong other) {
    return one.isPresent() && other.isPresent()
        ? OptionalLong.of(one.getAsLong() + other.getAsLong())
        : OptionalLong.empty();
  }

  /**
   * Combines the counts of all segments of a layer. In a window, the answer is "maybe" if any ring
   * of the segment has the element, and a refreshed element counts in each ring that it was written
   * to.
   */
  private static FilterStatistics of(
      FilterParameters parameters, Layer layer, List<SegmentCounts> segments) {
    var places = layer.places();
    var bits = places.segmentBits();
    var k = places.numHashFunctions();
    var bitsSet = 0L;
    var insertions = 0L;
    var saturated = 0L;
    var elements = OptionalLong.of(0);
    var rates = 0.0;
    for (var segment : segments) {
      bitsSet += segment.placesSet();
      insertions += segment.insertions();
      saturated += segment.fullCounters();
      var none = 0.0;
      for (var counted : parameters.kind().bitsSet(segment)) {
        // The last byte of another library's bitmap may have bits that no element has.
        var set = Math.min(counted, bits);
        elements = sum(elements, Sizing.approximateElementCount(set, bits, k));
        none += Math.log1p(-Math.pow((double) set / bits, k));
      }
      rates -= Math.expm1(none);
    }
    return new FilterStatistics(
        bitsSet,
        insertions,
        Math.min(1, (double) bitsSet / (parameters.kind().bitmaps() * places.bitSize())),
        elements,
        rates / places.segments(),
        saturated,
        segments.stream().anyMatch(segment -> layer.content().isOverfull(segment)));
  }
}
