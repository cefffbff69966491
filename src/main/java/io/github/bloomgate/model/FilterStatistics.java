package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.Sizing;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the content of a filter amounts to.
 *
 * @param bitsSet bits that are 1, exact
 * @param insertions adds that changed a bit, exact; after a merge, or an import of a file that does
 *     not tell it, an estimate
 * @param fillRatio share of bits that are 1, 0 to 1
 * @param approximateElementCount estimate of how many distinct elements were added, from the bits
 *     alone; empty when a segment is saturated
 * @param estimatedFalsePositiveProbability how likely an element never added is answered maybe now
 */
public record FilterStatistics(
    long bitsSet,
    long insertions,
    double fillRatio,
    OptionalLong approximateElementCount,
    double estimatedFalsePositiveProbability) {

  /** Joins the counts of all segments of a filter of this shape. */
  public static FilterStatistics of(FilterShape shape, List<SegmentCounts> segments) {
    var bitsSet = 0L;
    var insertions = 0L;
    var elements = OptionalLong.of(0);
    var rates = 0.0;
    for (var segment : segments) {
      bitsSet += segment.bitsSet();
      insertions += segment.insertions();
      var count =
          Sizing.approximateElementCount(
              segment.bitsSet(), shape.segmentBits(), shape.numHashFunctions());
      elements =
          elements.isPresent() && count.isPresent()
              ? OptionalLong.of(elements.getAsLong() + count.getAsLong())
              : OptionalLong.empty();
      var fill = (double) segment.bitsSet() / shape.segmentBits();
      rates += Math.pow(fill, shape.numHashFunctions());
    }
    return new FilterStatistics(
        bitsSet,
        insertions,
        (double) bitsSet / shape.bitSize(),
        elements,
        rates / shape.segments());
  }
}
