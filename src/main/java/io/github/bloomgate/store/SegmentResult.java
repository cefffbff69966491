package io.github.bloomgate.store;

import io.github.bloomgate.model.Generation;
import java.util.BitSet;
import java.util.Optional;

/**
 * What became of the elements of one request in one segment.
 *
 * @param flags for each element, in order: whether it was new, whether it was removed, or whether
 *     it might be contained. Fewer than there were elements if the segment refused the next one, as
 *     it is full; what comes after that was not added either
 * @param refused of a filter that grows, the elements that the segment refused as it is full: they
 *     belong in the next layer; none after a test
 * @param counts of elements that were counted, how often each was added at most; 15 stands for more
 *     too
 * @param isFull whether it refuses whatever is new at that moment, and so for ever; of what was
 *     added bit by bit, whether it refused an element
 * @param next the generation that an open rebuild loads, as was known at that moment
 * @param isConfirmed whether the filter was the live one at that moment; of a later segment in
 *     another slot that is not known
 * @param replicas how many have it; negative if that was not waited for
 */
public record SegmentResult(
    boolean[] flags,
    BitSet refused,
    byte[] counts,
    boolean isFull,
    Optional<Generation> next,
    boolean isConfirmed,
    int replicas) {

  /** Nothing was refused. */
  public static final BitSet NONE = new BitSet(0);

  /** Nothing was counted. */
  public static final byte[] NO_COUNTS = new byte[0];
}
