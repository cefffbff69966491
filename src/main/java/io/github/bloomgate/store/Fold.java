package io.github.bloomgate.store;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A new bitmap and header for a segment.
 *
 * @param position the position up to which the caller knows the segment
 * @param mark the mark at that position
 * @param folded the position up to which the bitmap contained the blocks when the caller read it;
 *     empty if the segment did not exist
 * @param bytes bitmap and header. The header has {@code mark}, and {@code position} as its base; if
 *     other content was joined in, it has a fresh mark, and a base above all former positions
 * @param laterMark a fresh mark if later blocks may stay after joined content
 */
public record Fold(
    StoredGeneration generation,
    int segment,
    SegmentLayout layout,
    long position,
    byte[] mark,
    OptionalLong folded,
    byte[] bytes,
    Optional<byte[]> laterMark) {}
