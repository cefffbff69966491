package io.github.bloomgate.store;

import java.util.OptionalLong;

/**
 * A segment as the caller knows it.
 *
 * @param position the position up to which the caller knows the segment
 * @param mark the mark at that position
 * @param folded the position up to which the bitmap contained the blocks when the caller read it;
 *     empty if the segment did not exist
 */
public record KnownSegment(
    StoredGeneration generation,
    int segment,
    SegmentLayout layout,
    long position,
    byte[] mark,
    OptionalLong folded) {}
