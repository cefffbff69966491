package io.github.bloomgate.journal;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.CounterCounts;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.Slice;
import java.util.Optional;

/**
 * What a segment holds. Entries of the journal change it one after the other, and what becomes of
 * each follows from those before it alone. An element is {@code k} positions from an index on.
 */
public sealed interface SegmentContent permits FixedContent, WindowContent, CountingContent {

  /** Whether an element is known. */
  boolean contains(int[] positions, int from);

  /**
   * Likewise by the two words of its hash, of a native scheme; of one that neither forgets nor
   * counts.
   */
  default boolean contains(long word, long step) {
    throw new IllegalStateException("the segment has no plain bits");
  }

  /** Whether to add an element would change nothing, whatever others have added meanwhile. */
  boolean isSettled(int[] positions, int from);

  /** Adds an element. */
  Added add(int[] positions, int from);

  /** Removes an element; whether it was known. Only of one with counters. */
  default boolean remove(int[] positions, int from) {
    throw new IllegalStateException("the segment has no counters");
  }

  /** How often an element was added at most, less how often it was removed; likewise. */
  default int count(int[] positions, int from) {
    throw new IllegalStateException("the segment has no counters");
  }

  /** Adds what another one of the same kind holds. Only of one that forgets or counts. */
  default void addAll(SegmentContent other) {
    throw new IllegalStateException("the segment has bits");
  }

  /** Notes which slice it is by the clock, if it has a window. */
  default void setNow(long slice) {}

  /** Begins the slice that it is by the clock, likewise. */
  default void turn() {}

  /** Whether it refuses whatever is new, and always will. */
  boolean isFull();

  /** How many elements were new; where they can be removed, how many are there. */
  long insertions();

  /** What its counters are, if it has some. */
  default Optional<CounterCounts> counters() {
    return Optional.empty();
  }

  /** Where it is in its window, if it has one. */
  default Optional<Slice> slice() {
    return Optional.empty();
  }

  /** How many bits are looked at to change an element, beyond those that are set. */
  default int looks() {
    return 0;
  }

  /** What a position is always below. */
  int positions();

  /** One that forgets nothing, with or without counters. */
  static SegmentContent of(
      Bitmap bits, FilterShape shape, long maxInsertions, SegmentCounts counts) {
    return counts.counters().isPresent()
        ? new CountingContent(bits, shape.numHashFunctions(), maxInsertions, counts)
        : new FixedContent(bits, shape, maxInsertions, counts.insertions());
  }
}
