package io.github.bloomgate.segment;

import io.github.bloomgate.hash.BitCount;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** Bits outside the heap, and how many of them are 1. Bit 0 is the highest bit of byte 0. */
final class Bitmap {

  /** The most changed bytes that are written one by one; beyond that the whole bitmap is. */
  private static final int MOST_DIRTY = 2_048;

  private final int length;

  /** At least as long; null once it was given back. */
  private ByteBuffer bytes;

  private int[] dirty = {};
  private long bitsSet;

  /** How many bytes were changed since the bitmap was clean; -1: too many to know them. */
  private int changed;

  /** Bits that are all 0. */
  Bitmap(int length) {
    this.length = length;
    bytes = Buffers.take(length);
  }

  /** The first bytes of a string. */
  Bitmap(byte[] read, int length) {
    this(length);
    bytes.put(0, read, 0, length);
    bitsSet = BitCount.of(read, 0, length);
  }

  /**
   * Whether all bits of an element are 1.
   *
   * @param positions of which {@code k} from {@code from} on are the element's
   * @param offset of position 0
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

  /**
   * Sets the bits of an element. Without a branch the processor fetches all of them at once: those
   * of a large filter are in no cache.
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
    if (missing > 0) {
      note(positions, from, k, offset);
    }
    return missing;
  }

  private void note(int[] positions, int from, int k, int offset) {
    for (var i = from; i < from + k; i++) {
      note((offset + positions[i]) >>> 3);
    }
  }

  private void note(int index) {
    if (changed == MOST_DIRTY) {
      changed = -1;
    } else if (changed >= 0) {
      if (changed == dirty.length) {
        dirty = Arrays.copyOf(dirty, Math.max(16, 2 * changed));
      }
      dirty[changed++] = index;
    }
  }

  /** The bytes that were changed since the bitmap was clean; empty if there are too many. */
  Optional<int[]> dirty() {
    return changed < 0
        ? Optional.empty()
        : Optional.of(Arrays.stream(dirty, 0, changed).distinct().sorted().toArray());
  }

  /** Notes that all changes were written. */
  void clean() {
    changed = 0;
    dirty = new int[0];
  }

  /** Notes that any byte may differ from what was written. */
  void forgetClean() {
    changed = -1;
  }

  /** Sets some bytes to 0. */
  void clear(int first, int length) {
    bitsSet -= count(first, length);
    bytes.put(first, new byte[length]);
    changed = -1;
  }

  /**
   * Sets the bits that are 1 in another bitmap.
   *
   * @param first where the byte 0 of the other one belongs
   * @return how many bits of these bytes are 1 then
   */
  long join(int first, Bitmap other) {
    var joined = new byte[other.capacity()];
    bytes.get(first, joined);
    bitsSet -= BitCount.of(joined, 0, joined.length);
    for (var i = 0; i < joined.length; i++) {
      joined[i] |= other.bytes.get(i);
    }
    bytes.put(first, joined);
    changed = -1;
    var count = BitCount.of(joined, 0, joined.length);
    bitsSet += count;
    return count;
  }

  /** A copy of some bytes. */
  Bitmap part(int first, int length) {
    var some = new byte[length];
    bytes.get(first, some);
    return new Bitmap(some, length);
  }

  /** How many bits are 1 in some bytes. */
  long count(int first, int length) {
    var some = new byte[length];
    bytes.get(first, some);
    return BitCount.of(some, 0, length);
  }

  /** The eight bytes from an index on. */
  long word(int index) {
    return bytes.getLong(index);
  }

  /** The byte at an index, from 0 to 255. */
  int octet(int index) {
    return bytes.get(index) & 0xff;
  }

  void putOctet(int index, int octet) {
    bitsSet += Integer.bitCount(octet) - Integer.bitCount(octet(index));
    bytes.put(index, (byte) octet);
    note(index);
  }

  long bitsSet() {
    return bitsSet;
  }

  /** Gives the memory back; the bitmap is of no use then. */
  void free() {
    var unused = bytes;
    bytes = null;
    Buffers.giveBack(unused);
  }

  int capacity() {
    return length;
  }

  void copyTo(byte[] target) {
    bytes.get(0, target, 0, capacity());
  }
}
