package io.github.bloomgate.store;

import java.util.Optional;

/**
 * Some elements of one segment.
 *
 * @param numHashFunctions the bits of an element
 * @param entries the offset of each bit of each element, 3 bytes each; at most {@link #MAX_BITS}
 * @param add empty to test them
 */
public record Bits(
    StoredGeneration generation,
    int segment,
    SegmentLayout layout,
    int numHashFunctions,
    byte[] entries,
    Optional<Add> add) {

  /**
   * How to add elements.
   *
   * @param mark the mark of the block
   * @param maxInsertions insertions from which new elements are refused; 0 for no limit
   */
  public record Add(byte[] mark, long maxInsertions) {}

  /** The most bits of one segment in a call. Redis needs about a microsecond for each. */
  public static final int MAX_BITS = 1_024;
}
