package io.github.bloomgate.journal;

/**
 * What a segment holds. Entries of the journal change it one after the other, and what becomes of
 * each follows from those before it alone. An element is {@code k} positions from an index on.
 */
sealed interface SegmentContent permits FixedContent, WindowContent {

  /** Whether an element is known. */
  boolean contains(int[] positions, int from);

  /** Whether to add an element would change nothing, whatever others have added meanwhile. */
  boolean isSettled(int[] positions, int from);

  /** Adds an element. */
  Added add(int[] positions, int from);

  /** Whether it refuses whatever is new. */
  boolean isFull();

  /** How many elements were new. */
  long insertions();

  /** What a position is always below. */
  int positions();
}
