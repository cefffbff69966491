package io.github.bloomgate.hash;

/**
 * The layout of a filter's bits.
 *
 * @param segments the number of bitmaps, at least 1
 * @param segmentBits bits of each segment (m of one segment)
 * @param numHashFunctions k, the bits an element sets, all in one segment
 */
public record FilterShape(int segments, long segmentBits, int numHashFunctions) {

  public FilterShape {
    if (segments < 1 || segmentBits < 1 || numHashFunctions < 1) {
      throw new IllegalArgumentException(
          "segments, segmentBits and numHashFunctions must be positive: %d, %d, %d"
              .formatted(segments, segmentBits, numHashFunctions));
    }
  }

  /**
   * Cuts bits into as few segments as possible, all of the same size.
   *
   * @param bits rounded up
   * @param unit the bits of a segment are a multiple of it
   * @param most the most bits of a segment, a multiple of the unit
   */
  public static FilterShape cut(long bits, long unit, long most, int numHashFunctions) {
    int segments = Math.toIntExact(Sizing.ceilDiv(bits, most));
    long units = Sizing.ceilDiv(Sizing.ceilDiv(bits, segments), unit);
    return new FilterShape(segments, units * unit, numHashFunctions);
  }

  /** Bits of the whole filter (m). */
  public long bitSize() {
    return segments * segmentBits;
  }

  /** The bytes of the bitmaps in Redis. */
  public long sizeBytes() {
    return segments * segmentBytes();
  }

  public long segmentBytes() {
    return (segmentBits + 7) / 8;
  }
}
