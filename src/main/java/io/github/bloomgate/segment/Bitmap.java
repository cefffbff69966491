package io.github.bloomgate.segment;

import io.github.bloomgate.hash.BitCount;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** Off-heap bits and the number of 1 bits. Bit 0 is the highest bit of byte 0. */
final class Bitmap {

  /** Beyond this many changed bytes, the whole bitmap is written. */
  private static final int MOST_DIRTY = 2_048;

  private final int length;

  /** At least {@code length} bytes; null after {@link #free}. */
  private ByteBuffer bytes;

  private int[] dirty = {};
  private long bitsSet;

  /** Bytes changed since the bitmap was clean; -1 if there are too many to track. */
  private int changed;

  /** Makes the compiler keep the loads of {@link #fetch}. */
  @SuppressWarnings("unused")
  private int fetched;

  Bitmap(int length) {
    this.length = length;
    bytes = Buffers.take(length);
  }

  /** Copies the first {@code length} bytes. */
  Bitmap(byte[] read, int length) {
    this(length);
    bytes.put(0, read, 0, length);
    bitsSet = BitCount.of(read, 0, length);
  }

  /**
   * Loads the bytes at positions into the processor's cache, in parallel.
   *
   * @param shift the binary logarithm of the positions in a byte
   */
  void fetch(int[] positions, int from, int to, int shift) {
    var all = 0;
    for (var i = from; i < to; i++) {
      all ^= bytes.get(positions[i] >>> shift);
    }
    fetched = all;
  }

  /**
   * Whether all bits of an element are 1. The loop has no branch, so the processor fetches all
   * bytes in parallel; a large filter is not in the processor's cache.
   *
   * @param positions the element's are the {@code k} from index {@code from}
   * @param offset the offset of position 0
   */
  boolean contains(int[] positions, int from, int k, int offset) {
    var missing = 0;
    for (var i = from; i < from + k; i++) {
      var position = offset + positions[i];
      missing |= ~bytes.get(position >>> 3) & 0x80 >>> (position & 7);
    }
    return missing == 0;
  }

  /**
   * Sets the bits of an element. The loop has no branch either.
   *
   * @return the number of bits that were 0
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

  /** The indices of the bytes changed since the bitmap was clean; empty if there are too many. */
  Optional<int[]> dirty() {
    return changed < 0
        ? Optional.empty()
        : Optional.of(Arrays.stream(dirty, 0, changed).distinct().sorted().toArray());
  }

  void clean() {
    changed = 0;
    dirty = new int[0];
  }

  /** Records that any byte may differ from the one in Redis. */
  void forgetClean() {
    changed = -1;
  }

  void clear(int first, int length) {
    bitsSet -= count(first, length);
    bytes.put(first, new byte[length]);
    changed = -1;
  }

  /**
   * ORs another bitmap into this one.
   *
   * @param first the index for the other's byte 0
   * @return the number of 1 bits in the changed range
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

  Bitmap part(int first, int length) {
    var some = new byte[length];
    bytes.get(first, some);
    return new Bitmap(some, length);
  }

  /** The number of 1 bits in a range of bytes. */
  long count(int first, int length) {
    var some = new byte[length];
    bytes.get(first, some);
    return BitCount.of(some, 0, length);
  }

  /** The eight bytes from an index. */
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

  /** Releases the memory. The bitmap must not be used afterwards. */
  void free() {
    var unused = bytes;
    bytes = null;
    Buffers.giveBack(unused);
  }

  int capacity() {
    return length;
  }

  void copyTo(byte[] target) {
    copyTo(0, target, 0, capacity());
  }

  void copyTo(int first, byte[] target, int at, int count) {
    bytes.get(first, target, at, count);
  }

  boolean isSet(int position) {
    return (bytes.get(position >>> 3) & 0x80 >>> (position & 7)) != 0;
  }
}
