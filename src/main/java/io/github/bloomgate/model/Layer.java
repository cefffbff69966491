package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.segment.SegmentFormat;
import java.time.Instant;
import java.util.Optional;

/**
 * One layer of a filter. Most filters have one, grown ones have several. Each is sized like a
 * separate filter, stored, and never recomputed.
 *
 * @param firstSegment index of its first segment among all segments of the filter
 * @param expectedInsertions its capacity
 * @param falsePositiveProbability its share of the requested rate
 * @param shape of the stored bits; with a window or counters, a segment includes the bits of all
 *     rings or counters
 * @param places the shape that contains the positions of an element
 * @param content what its segments contain
 * @param openedAt when it started to take elements; empty while it is only planned
 */
public record Layer(
    int firstSegment,
    long expectedInsertions,
    double falsePositiveProbability,
    FilterShape shape,
    FilterShape places,
    SegmentFormat.Kind content,
    Optional<Instant> openedAt) {

  /** The index after its last segment. */
  public int endSegment() {
    return firstSegment + shape.segments();
  }

  /** The format of its segments, which must not be raw. */
  public SegmentFormat format() {
    return new SegmentFormat(
        Math.toIntExact(shape.segmentBytes()), shape.numHashFunctions(), content);
  }

  /** The same, opened at a moment, or only planned. */
  public Layer openedAt(Optional<Instant> moment) {
    return new Layer(
        firstSegment, expectedInsertions, falsePositiveProbability, shape, places, content, moment);
  }
}
