package io.github.bloomgate.segment;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The header between bitmap and journal.
 *
 * @param base the position of the first byte of the journal
 * @param folded the position up to which the bitmap contains every block
 * @param bitsSet bits that are 1 as of {@code folded}
 * @param insertions new elements as of {@code folded}
 * @param newest the latest stamp of a block up to {@code folded}, in milliseconds; 0 for none
 * @param kind the kind-specific part
 * @param mark the mark at {@code base}
 */
record SegmentHeader(
    long base, long folded, long bitsSet, long insertions, long newest, byte[] kind, byte[] mark) {

  private static final byte[] MAGIC = "BLOOMSG\1".getBytes(ISO_8859_1);

  /** Scripts compute with positions, and have integers of 53 bits. */
  private static final long MOST_POSITION = 1L << 53;

  /** Sums over all segments of a filter stay below 2^63. */
  static final long MOST_INSERTIONS = 1L << 50;

  /** Blocks have times of 48 bits. */
  static final long MOST_TIME = 1L << 48;

  /** Bytes before the kind-specific part. */
  private static final int FIXED_BYTES = 6 * Long.BYTES;

  SegmentHeader {
    if (base < 0
        || folded < base
        || folded >= MOST_POSITION
        || bitsSet < 0
        || insertions < 0
        || insertions > MOST_INSERTIONS
        || newest < 0
        || newest >= MOST_TIME) {
      throw new IllegalArgumentException("the header has impossible positions or counts");
    }
  }

  static SegmentHeader empty(int kindBytes) {
    return new SegmentHeader(0, 0, 0, 0, 0, new byte[kindBytes], new byte[Block.MARK_BYTES]);
  }

  boolean isEmpty() {
    return Arrays.equals(toBytes(), empty(kind.length).toBytes());
  }

  static int bytes(int kindBytes) {
    return FIXED_BYTES + kindBytes + Block.MARK_BYTES;
  }

  /**
   * @throws IllegalArgumentException if there is no header at the index
   */
  static SegmentHeader read(byte[] bytes, int at, int kindBytes) {
    if (bytes.length < at + bytes(kindBytes)
        || !Arrays.equals(bytes, at, at + MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new IllegalArgumentException("the segment has no header");
    }
    var in = ByteBuffer.wrap(bytes, at + MAGIC.length, bytes(kindBytes) - MAGIC.length);
    var kind = new byte[kindBytes];
    var mark = new byte[Block.MARK_BYTES];
    var header =
        new SegmentHeader(
            in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong(), kind, mark);
    in.get(kind).get(mark);
    return header;
  }

  byte[] toBytes() {
    return ByteBuffer.allocate(bytes(kind.length))
        .put(MAGIC)
        .putLong(base)
        .putLong(folded)
        .putLong(bitsSet)
        .putLong(insertions)
        .putLong(newest)
        .put(kind)
        .put(mark)
        .array();
  }
}
