package io.github.bloomgate.segment;

/**
 * What a segment holds. Entries of the journal change it one after the other; what becomes of each
 * follows from those before it alone. An element is {@code k} positions from an index on. Not
 * thread-safe.
 */
public sealed interface SegmentContent permits FixedContent, CountingContent, WindowContent {

  /** Whether an element might be there. */
  boolean contains(int[] positions, int from);

  /**
   * Whether adding an element would change nothing, whatever other instances have added since. Such
   * an element needs no entry in the journal.
   */
  boolean isSettled(int[] positions, int from);

  /**
   * Adds an element.
   *
   * @param stamp the time of Redis when it was appended, in milliseconds
   */
  Added add(int[] positions, int from, long stamp);

  /**
   * Removes an element once; false if it was certainly not there.
   *
   * @throws IllegalArgumentException if elements cannot be removed from this kind
   */
  default boolean remove(int[] positions, int from) {
    throw new IllegalArgumentException("the journal removes what cannot be removed");
  }

  /** How often an element was added at most, less how often it was removed; 1 for "maybe". */
  default int count(int[] positions, int from) {
    return contains(positions, from) ? 1 : 0;
  }

  /** Sets the time of Redis, in milliseconds, by which elements are forgotten. */
  default void advanceTo(long millis) {}

  /** Whether it refuses every new element, now and for ever. */
  boolean isFull();

  /** How many elements were new; where they can be removed, how many are there. */
  long insertions();

  /**
   * Adds what another content of the same kind and layout holds, such as that of a merged filter.
   */
  void addAll(SegmentContent other);

  /** What the kind keeps in the header of the segment. */
  byte[] kindHeader();

  /** One more than the highest position of an element. */
  int positions();

  /** How many bits are 1. */
  long bitsSet();
}
