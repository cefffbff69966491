package io.github.bloomgate.store;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.bloomgate.segment.SegmentFormat;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;

/** The bytes of a segment, composed and parsed. */
record SegmentText(byte[] bytes, SegmentFormat format) {

  static final int BASE = 8;
  static final int FOLDED = 16;
  static final int BITS_SET = 24;
  static final int INSERTIONS = 32;

  /** A bitmap with half of its bits set and a header, with all blocks up to a position folded. */
  static byte[] folded(SegmentFormat format, long position, byte[] mark) {
    return made(format, position, position, mark);
  }

  static byte[] made(SegmentFormat format, long base, long folded, byte[] mark) {
    var bytes = ByteBuffer.allocate(format.bitmapBytes() + format.headerBytes());
    Arrays.fill(bytes.array(), 0, format.bitmapBytes(), (byte) 0x55);
    bytes.position(format.bitmapBytes());
    bytes.put("BLOOMSG\u0001".getBytes(US_ASCII)).putLong(base).putLong(folded);
    bytes.putLong(4L * format.bitmapBytes());
    return bytes.position(bytes.capacity() - mark.length).put(mark).array();
  }

  boolean hasBitmap() {
    return bytes.length >= format.bitmapBytes() + format.headerBytes();
  }

  private int header() {
    return hasBitmap() ? format.bitmapBytes() : 0;
  }

  long number(int offset) {
    return ByteBuffer.wrap(bytes).getLong(header() + offset);
  }

  /** The number of set bits in the bitmap. */
  int bitCount() {
    return BitSet.valueOf(Arrays.copyOf(bytes, header())).cardinality();
  }

  byte[] journal() {
    return Arrays.copyOfRange(bytes, header() + format.headerBytes(), bytes.length);
  }

  byte[] tail() {
    return Arrays.copyOfRange(bytes, bytes.length - 8, bytes.length);
  }

  /** The position and mark that an instance knows after reading all of it. */
  ScriptsOfFilters.Known known() {
    return new ScriptsOfFilters.Known(number(BASE) + journal().length, tail());
  }
}
