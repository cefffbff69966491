package io.github.bloomgate.segment;

/**
 * The elements of a segment. Journal entries are applied in order, and the outcome of each depends
 * only on those before it. An element is {@code k} positions from an index. Not thread-safe.
 */
public sealed interface SegmentContent permits FixedContent, CountingContent, WindowContent {

  boolean contains(int[] positions, int from);

  /**
   * Whether adding an element would change nothing, even after adds by other instances. Such an add
   * needs no journal entry.
   */
  boolean addIsNoOp(int[] positions, int from);

  /**
   * Adds an element.
   *
   * @param stamp the Redis time at which it was appended, in milliseconds
   */
  Added add(int[] positions, int from, long stamp);

  /**
   * Removes an element once; false if it was certainly not there.
   *
   * @throws IllegalArgumentException if this kind does not support removal
   */
  default boolean remove(int[] positions, int from) {
    throw new IllegalArgumentException(
        "the journal removes elements from a segment that does not support it");
  }

  /** The upper bound of an element's adds minus its removals; 1 for "maybe". */
  default int count(int[] positions, int from) {
    return contains(positions, from) ? 1 : 0;
  }

  /** Sets the Redis time, in milliseconds, that decides which elements have expired. */
  default void advanceTo(long millis) {}

  /** Whether it refuses every new element from now on. */
  boolean isFull();

  /** The number of new elements, less removals. */
  long insertions();

  /**
   * Adds the elements of another content of the same kind and layout, such as a merged filter's.
   */
  void addAll(SegmentContent other);

  /** The kind-specific part of the segment header. */
  byte[] kindHeader();

  /** The number of valid positions. */
  int positions();

  long bitsSet();
}
