package io.github.bloomgate.store;

/**
 * Some elements of one segment.
 *
 * @param numHashFunctions the bits of an element
 * @param entries the offset of each bit of each element, 3 bytes each
 */
public record Bits(
    StoredGeneration generation,
    int segment,
    SegmentLayout layout,
    int numHashFunctions,
    byte[] entries) {

  /** The most bits of a call. Redis needs about a microsecond for each. */
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

  int elements() {
    return entries.length / OFFSET_BYTES / numHashFunctions;
  }
}
