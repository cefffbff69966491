package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import java.time.Instant;
import java.util.Optional;

/**
 * One of the layers of which a filter consists: one for most, several for one that has grown. Each
 * is sized like a filter of its own, and stored so, never recomputed.
 *
 * @param firstSegment index of its first segment among all segments of the filter
 * @param expectedInsertions how many elements it was sized for
 * @param falsePositiveProbability its share of the promised rate
 * @param shape its segments, bits of each, hash functions
 * @param openedAt since when it takes elements; empty while it is only planned
 */
public record Layer(
    int firstSegment,
    long expectedInsertions,
    double falsePositiveProbability,
    FilterShape shape,
    Optional<Instant> openedAt) {

  /** The index behind that of its last segment. */
  public int endSegment() {
    return firstSegment + shape.segments();
  }

  /** How many elements one segment takes before the next layer does. */
  public long maxInsertionsPerSegment() {
    return Growth.maxInsertionsPerSegment(expectedInsertions, shape);
  }

  /** The same, opened. */
  public Layer openedAt(Instant moment) {
    return openedAt(Optional.of(moment));
  }

  /** The same, opened then, or not yet. */
  Layer openedAt(Optional<Instant> moment) {
    return new Layer(firstSegment, expectedInsertions, falsePositiveProbability, shape, moment);
  }
}
