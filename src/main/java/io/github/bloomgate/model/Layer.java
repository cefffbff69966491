package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import java.time.Instant;
import java.util.Optional;

/**
 * One layer of a filter. Most filters have one, grown ones have several. Each is sized like a
 * separate filter, stored, and never recomputed.
 *
 * @param firstSegment index of its first segment among all segments of the filter
 * @param expectedInsertions its capacity
 * @param falsePositiveProbability its share of the requested rate
 * @param openedAt when it started to take elements; empty while it is only planned
 */
public record Layer(
    int firstSegment,
    long expectedInsertions,
    double falsePositiveProbability,
    FilterShape shape,
    Optional<Instant> openedAt) {

  /** The index after its last segment. */
  public int endSegment() {
    return firstSegment + shape.segments();
  }

  /** The same, opened at a moment, or only planned. */
  public Layer openedAt(Optional<Instant> moment) {
    return new Layer(firstSegment, expectedInsertions, falsePositiveProbability, shape, moment);
  }
}
