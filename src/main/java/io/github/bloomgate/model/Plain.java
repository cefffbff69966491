package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.segment.SegmentFormat;

/**
 * Bits that are never unset, in one layer.
 *
 * @param whenFull accept or reject
 */
public record Plain(WhenFull whenFull) implements FilterKind {

  public Plain {
    if (whenFull == WhenFull.GROW) {
      throw new IllegalArgumentException("a filter that grows has another kind");
    }
  }

  @Override
  public FilterParameters parameters(
      HashScheme hashScheme, long expectedInsertions, double falsePositiveProbability) {
    var shape = Shapes.shapeFor(hashScheme, expectedInsertions, falsePositiveProbability);
    return new FilterParameters(
        hashScheme, expectedInsertions, falsePositiveProbability, shape, this);
  }

  /** With bits instead of counters, a filter keeps the segments of the counters. */
  @Override
  public boolean isIn(HashScheme hashScheme, FilterShape shape) {
    return Shapes.isOf(hashScheme, shape)
        || (hashScheme.isNative() && Counting.isShapeAsBits(shape));
  }

  @Override
  public SegmentFormat.Kind content(long expectedInsertions, int segments) {
    return new SegmentFormat.Fixed(maxInsertions(whenFull, expectedInsertions, segments));
  }

  /**
   * The capacity of a segment, after which it refuses elements; 0 if it never does.
   *
   * <p>Elements spread randomly over segments. With four standard deviations above the average, a
   * filter of several segments reaches n before one of them happens to be full, and exceeds n by
   * less than half a percent.
   */
  static long maxInsertions(WhenFull whenFull, long expectedInsertions, int segments) {
    if (whenFull == WhenFull.ACCEPT) {
      return 0;
    }
    var average = (double) expectedInsertions / segments;
    return segments == 1 ? expectedInsertions : (long) Math.ceil(average + 4 * Math.sqrt(average));
  }

  @Override
  public boolean hasBitsOnly() {
    return true;
  }
}
