package io.github.bloomgate.segment;

import java.util.BitSet;

/**
 * The elements of a segment. Journal entries are applied in order, and the outcome of each depends
 * only on those before it. An element is {@code k} positions from an index. Not thread-safe.
 */
public abstract sealed class SegmentContent permits FixedContent, CountingContent, WindowContent {

  /** Elements whose bits are fetched at once; they fit into the processor's second cache. */
  public static final int FETCHED = 256;

  /** Bits, counters or rings. */
  final Bitmap bits;

  final int k;
  long insertions;

  /** Null without followers. */
  PlaneChanges changes;

  SegmentContent(Bitmap bits, int k, long insertions) {
    this.bits = bits;
    this.k = k;
    this.insertions = insertions;
  }

  /**
   * Loads the bits at positions into the processor's cache, all in parallel. A large segment is not
   * in the cache, and operations on one element after the other would each wait for memory.
   */
  public void fetch(int[] positions, int from, int to) {}

  public abstract boolean contains(int[] positions, int from);

  /** The number of bits that {@link #contains} reads at most. */
  public int lookUpBits() {
    return k;
  }

  /**
   * Whether adding an element would change nothing, even after adds by other instances. Such an add
   * needs no journal entry.
   */
  public abstract boolean addIsNoOp(int[] positions, int from);

  /**
   * Adds an element.
   *
   * @param stamp the Redis time at which it was appended, in milliseconds
   */
  public abstract Verdict add(int[] positions, int from, long stamp);

  /**
   * Removes an element once; false if it was certainly not there.
   *
   * @throws IllegalArgumentException if this kind does not support removal
   */
  public boolean remove(int[] positions, int from) {
    throw new IllegalArgumentException(
        "the journal removes elements from a segment that does not support it");
  }

  /** The upper bound of an element's adds minus its removals; 1 for "maybe". */
  public int count(int[] positions, int from) {
    return contains(positions, from) ? 1 : 0;
  }

  /** Sets the Redis time, in milliseconds, that decides which elements have expired. */
  public void advanceTo(long millis) {}

  /** Whether it refuses every new element from now on. */
  public boolean isFull() {
    return false;
  }

  /** The number of new elements, less removals. */
  public final long insertions() {
    return insertions;
  }

  /**
   * Adds the elements of another content of the same kind and layout, such as a merged filter's.
   */
  public abstract void addAll(SegmentContent other);

  /** The kind-specific part of the segment header. */
  public abstract byte[] kindHeader();

  /** The number of planes. An element is known if one of them has all its bits. */
  public int planes() {
    return 1;
  }

  /** The bytes of a plane. */
  public int planeBytes() {
    return bits.capacity() / planes();
  }

  /** Whether a plane has no elements, or only expired ones. */
  public boolean isPlaneEmpty(int plane) {
    return bits.bitsSet() == 0;
  }

  /** The planes that are not empty. */
  final BitSet usedPlanes() {
    var used = new BitSet();
    for (var plane = 0; plane < planes(); plane++) {
      used.set(plane, !isPlaneEmpty(plane));
    }
    return used;
  }

  /** Copies bytes of a plane, whose bit 0 is the highest bit of byte 0. */
  public void copyPlane(int plane, int from, byte[] target, int at, int count) {
    bits.copyTo(plane * planeBytes() + from, target, at, count);
  }

  /** Notes the bits that an add will set in a plane. */
  final void noteMissing(int plane, int[] positions, int from) {
    if (changes == null) {
      return;
    }
    var first = Byte.SIZE * planeBytes() * plane;
    for (var i = from; i < from + k; i++) {
      if (!bits.isSet(first + positions[i])) {
        changes.note(plane, positions[i] >>> 3);
      }
    }
  }

  /** The number of valid positions. */
  public abstract int positions();

  public final long bitsSet() {
    return bits.bitsSet();
  }
}
