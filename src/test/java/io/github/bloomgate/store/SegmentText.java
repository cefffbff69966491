package io.github.bloomgate.store;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;

/** The bytes of a segment, composed and parsed. */
record SegmentText(byte[] bytes, SegmentLayout layout) {

  static final int BASE = 8;
  static final int FOLDED = 16;
  static final int BITS_SET = 24;
  static final int INSERTIONS = 32;

  /** A bitmap with half of its bits set and a header, with all blocks up to a position folded. */
  static byte[] folded(SegmentLayout layout, long position, byte[] mark) {
    return made(layout, position, position, mark);
  }

  static byte[] made(SegmentLayout layout, long base, long folded, byte[] mark) {
    var bytes = ByteBuffer.allocate(layout.bitmapBytes() + layout.headerBytes());
    Arrays.fill(bytes.array(), 0, layout.bitmapBytes(), (byte) 0x55);
    bytes.position(layout.bitmapBytes());
    bytes.put("BLOOMSG\u0001".getBytes(US_ASCII)).putLong(base).putLong(folded);
    bytes.putLong(4L * layout.bitmapBytes());
    return bytes.position(bytes.capacity() - mark.length).put(mark).array();
  }

  boolean hasBitmap() {
    return bytes.length >= layout.bitmapBytes() + layout.headerBytes();
  }

  private int header() {
    return hasBitmap() ? layout.bitmapBytes() : 0;
  }

  long number(int offset) {
    return ByteBuffer.wrap(bytes).getLong(header() + offset);
  }

  /** The number of set bits in the bitmap. */
  int bitCount() {
    return BitSet.valueOf(Arrays.copyOf(bytes, header())).cardinality();
  }

  byte[] journal() {
    return Arrays.copyOfRange(bytes, header() + layout.headerBytes(), bytes.length);
  }

  byte[] tail() {
    return Arrays.copyOfRange(bytes, bytes.length - 8, bytes.length);
  }

  /** The position and mark that an instance knows after reading all of it. */
  SlotScripts.Known known() {
    return new SlotScripts.Known(number(BASE) + journal().length, tail());
  }
}
