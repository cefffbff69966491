package io.github.bloomgate.store;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Some elements of one segment.
 *
 * @param numHashFunctions the bits of an element
 * @param entries the offset of each bit of each element, 3 bytes each
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
   * @param maxInsertions insertions from which new elements are refused
   */
  public record Add(byte[] mark, OptionalLong maxInsertions) {}

  /** The most bits of one segment in a call. Redis needs about a microsecond for each. */
  public static final int MAX_BITS = 1_024;

  static final int OFFSET_BYTES = 3;

  public Bits {
    var bits = entries.length / OFFSET_BYTES;
    if (entries.length != bits * OFFSET_BYTES
        || bits == 0
        || bits > MAX_BITS
        || bits % numHashFunctions != 0) {
      throw new IllegalArgumentException(entries.length + " bytes are no elements");
    }
  }
}
