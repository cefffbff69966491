package io.github.bloomgate.segment;

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
  public abstract Answer add(int[] positions, int from, long stamp);

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

  /** The number of valid positions. */
  public abstract int positions();

  public final long bitsSet() {
    return bits.bitsSet();
  }
}
