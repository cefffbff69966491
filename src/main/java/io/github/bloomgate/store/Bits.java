package io.github.bloomgate.store;

import io.github.bloomgate.segment.SegmentFormat;
import java.util.Optional;

/**
 * Some elements of one segment.
 *
 * @param entries the offset of each bit of each element, 3 bytes each; at most {@link #MAX_BITS}
 * @param mark the mark of the block that adds the elements; empty to test them
 */
public record Bits(
    StoredGeneration generation,
    int segment,
    SegmentFormat format,
    byte[] entries,
    Optional<byte[]> mark) {

  /** The most bits of one segment in a call. Redis needs about a microsecond for each. */
  public static final int MAX_BITS = 1_024;
}
