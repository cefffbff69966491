package io.github.bloomgate.journal;

import io.github.bloomgate.hash.BitCount;
import io.github.bloomgate.hash.NativeScheme;
import java.nio.ByteBuffer;

/** Bits beside the heap, and how many of them are 1. Bit 0 is the highest bit of byte 0. */
final class Bitmap {

  private final ByteBuffer bytes;
  private long bitsSet;

  /** The first bytes of what was read. */
  Bitmap(byte[] read, int length) {
    bytes = ByteBuffer.allocateDirect(length);
    bytes.put(0, read, 0, length);
    bitsSet = BitCount.of(read, 0, length);
  }

  /**
   * Whether all bits of an element are set.
   *
   * @param positions of which {@code k} from {@code from} on are the element's
   * @param offset where position 0 is
   */
  boolean contains(int[] positions, int from, int k, int offset) {
    for (var i = from; i < from + k; i++) {
      var position = offset + positions[i];
      if ((bytes.get(position >>> 3) & 0x80 >>> (position & 7)) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Likewise by the words of its hash; no bit is located that need not be looked at. */
  boolean contains(long word, long step, int k, long segmentBits) {
    for (var i = 1; i <= k; i++) {
      var position = (int) NativeScheme.position(word + i * step, segmentBits);
      if ((bytes.get(position >>> 3) & 0x80 >>> (position & 7)) == 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Sets the bits of an element. There is no branch, so that the processor fetches all of them at
   * once: those of a large filter are in no cache.
   *
   * @return how many were 0
   */
  int set(int[] positions, int from, int k, int offset) {
    var missing = 0;
    for (var i = from; i < from + k; i++) {
      var position = offset + positions[i];
      var bit = 0x80 >>> (position & 7);
      var held = bytes.get(position >>> 3);
      missing += Integer.bitCount(~held & bit);
      bytes.put(position >>> 3, (byte) (held | bit));
    }
    bitsSet += missing;
    return missing;
  }

  /** Has some bytes be 0. */
  void clear(int first, int length) {
    var before = new byte[length];
    bytes.get(first, before);
    bitsSet -= BitCount.of(before, 0, length);
    bytes.put(first, new byte[length]);
  }

  /** Sets the bits in some bytes that are set in as many bytes of another. */
  void join(int first, Bitmap other, int from, int length) {
    var joined = new byte[length];
    bytes.get(first, joined);
    bitsSet -= BitCount.of(joined, 0, length);
    for (var i = 0; i < length; i++) {
      joined[i] |= other.bytes.get(from + i);
    }
    bitsSet += BitCount.of(joined, 0, length);
    bytes.put(first, joined);
  }

  /** The eight bytes from an index on. */
  long word(int index) {
    return bytes.getLong(index);
  }

  /** The byte at an index, without a sign. */
  int octet(int index) {
    return bytes.get(index) & 0xff;
  }

  /** Puts a byte in the place of another. */
  void putOctet(int index, int octet) {
    bitsSet += Integer.bitCount(octet) - Integer.bitCount(octet(index));
    bytes.put(index, (byte) octet);
  }

  long bitsSet() {
    return bitsSet;
  }

  int capacity() {
    return bytes.capacity();
  }

  byte[] toBytes() {
    var all = new byte[capacity()];
    bytes.get(0, all);
    return all;
  }
}
