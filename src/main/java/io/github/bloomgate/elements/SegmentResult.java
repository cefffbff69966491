package io.github.bloomgate.elements;

import io.github.bloomgate.model.Generation;
import java.util.BitSet;
import java.util.Optional;

/**
 * What became of the elements of one request in one segment.
 *
 * @param flags for each element, in order: whether it changed a bit, or whether it might be
 *     contained. Fewer than there were elements if the segment refused the next one, as it is full;
 *     what comes after that was not added either
 * @param refused of a filter that grows, the elements that the segment refused; none after a test
 * @param isFull whether it refuses whatever is new at that moment, and so for ever
 * @param next the generation that an open rebuild loads, as was known at that moment
 * @param isConfirmed whether the filter was the live one at that moment; of a later segment in
 *     another slot that is not known
 * @param replicas how many have it; negative if that was not waited for
 */
record SegmentResult(
    boolean[] flags,
    BitSet refused,
    boolean isFull,
    Optional<Generation> next,
    boolean isConfirmed,
    int replicas) {

  /** Nothing was refused. */
  static final BitSet NONE = new BitSet(0);
}
