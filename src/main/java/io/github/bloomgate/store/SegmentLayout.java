package io.github.bloomgate.store;

/**
 * The lengths of the parts of a segment, in bytes.
 *
 * @param journalLimit the length from which a journal takes no more blocks
 */
public record SegmentLayout(int bitmapBytes, int headerBytes, int journalLimit) {

  private static final int SMALLEST_HEADER = 56;

  public SegmentLayout {
    if (bitmapBytes < 1 || headerBytes < SMALLEST_HEADER || headerBytes % Long.BYTES != 0) {
      throw new IllegalArgumentException("impossible layout of a segment");
    }
  }
}
