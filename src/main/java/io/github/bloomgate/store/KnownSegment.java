package io.github.bloomgate.store;

import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.segment.SegmentFormat;

/**
 * A segment as the caller knows it; one that did not exist is at position 0 with a mark of zeros.
 *
 * @param position the position up to which the caller knows the segment
 * @param mark the mark at that position
 * @param folded the position up to which the bitmap contained the blocks when the caller read it
 */
public record KnownSegment(
    StoredGeneration generation,
    int segment,
    SegmentFormat format,
    long position,
    byte[] mark,
    long folded) {

  /** A segment at the current position of a copy. */
  public static KnownSegment of(StoredGeneration generation, int segment, SegmentCopy copy) {
    return new KnownSegment(
        generation, segment, copy.format(), copy.position(), copy.mark(), copy.folded());
  }
}
