package io.github.bloomgate.elements;

import io.github.bloomgate.model.Generation;
import java.util.BitSet;
import java.util.Optional;

/**
 * What became of the elements of one request in one segment.
 *
 * @param flags for each element, in order: whether it was new, whether it was removed, or whether
 *     it might be contained. Fewer than there were elements if the segment refused the next one, as
 *     it is full; what comes after that was not added either
 * @param refused of a filter that grows, the elements that the segment refused; none after a test
 * @param counts of elements that were counted, how often each was added at most
 * @param isFull whether it refuses whatever is new at that moment, and so for ever
 * @param next the generation that an open rebuild loads, as was known at that moment
 * @param isConfirmed whether the filter was the live one at that moment; of a later segment in
 *     another slot that is not known
 * @param replicas how many have it; negative if that was not waited for
 */
record SegmentResult(
    boolean[] flags,
    BitSet refused,
    byte[] counts,
    boolean isFull,
    Optional<Generation> next,
    boolean isConfirmed,
    int replicas) {

  /** For replicas that were not waited for. */
  private static final int NOT_ASKED = -1;

  /** Nothing was refused. */
  static final BitSet NONE = new BitSet(0);

  /** Nothing was counted. */
  static final byte[] NO_COUNTS = new byte[0];

  /** What was removed without a copy. */
  static SegmentResult of(boolean[] removed, int replicas) {
    return new SegmentResult(removed, NONE, NO_COUNTS, false, Optional.empty(), false, replicas);
  }

  /** What was tested without one. */
  static SegmentResult of(boolean[] maybe, boolean isFull) {
    return new SegmentResult(maybe, NONE, NO_COUNTS, isFull, Optional.empty(), false, NOT_ASKED);
  }

  /** What was counted without one. */
  static SegmentResult of(byte[] counts) {
    var maybe = new boolean[counts.length];
    for (var i = 0; i < maybe.length; i++) {
      maybe[i] = counts[i] > 0;
    }
    return new SegmentResult(maybe, NONE, counts, false, Optional.empty(), false, NOT_ASKED);
  }
}
