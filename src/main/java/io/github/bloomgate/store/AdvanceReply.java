package io.github.bloomgate.store;

import io.github.bloomgate.model.Generation;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a segment answers to an instance that follows its journal.
 *
 * @param outcome whether what was to be journaled was
 * @param blocks what others have journaled since the caller's position, before what he did
 * @param next the generation that an open rebuild loads, as {@link SegmentResult} has it
 * @param base position of the first byte of the journal; 0 of one that was the same
 * @param folded position of the snapshot; likewise
 * @param slice which it is, of a segment that forgets
 * @param isConfirmed whether the filter's first segment was asked as well
 * @param replicas how many have it; negative if that was not waited for
 */
public record AdvanceReply(
    Outcome outcome,
    byte[] blocks,
    Optional<Generation> next,
    long base,
    long folded,
    OptionalLong slice,
    boolean isConfirmed,
    int replicas) {

  static final AdvanceReply REREAD =
      new AdvanceReply(
          Outcome.REREAD, new byte[0], Optional.empty(), 0, 0, OptionalLong.empty(), false, -1);

  /** Whether what was to be journaled was. */
  public enum Outcome {
    /** It was. */
    OK,
    /** It was, and the segment was as the caller knows it: nothing more is told of it. */
    SAME,
    /** The journal is too long: write a snapshot first. Nothing was journaled. */
    LONG,
    /** It is another slice than that was made for. Nothing was journaled. */
    TURNED,
    /** The segment has another history than the caller: read it again. Nothing was journaled. */
    REREAD
  }
}
