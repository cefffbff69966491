package io.github.bloomgate.store;

import io.github.bloomgate.model.Generation;
import java.util.Optional;

/**
 * What a segment answers to whoever follows its journal.
 *
 * @param outcome whether what was to be journaled was
 * @param blocks what others have journaled since the caller's position, before what he did
 * @param next the generation that an open rebuild loads, as {@link AddReply} has it
 * @param base position of the first byte of the journal
 * @param folded position of the snapshot
 * @param isConfirmed whether the filter's first segment was asked as well
 * @param replicas how many have it; negative if that was not waited for
 */
public record AdvanceReply(
    Outcome outcome,
    byte[] blocks,
    Optional<Generation> next,
    long base,
    long folded,
    boolean isConfirmed,
    int replicas) {

  static final AdvanceReply REREAD =
      new AdvanceReply(Outcome.REREAD, new byte[0], Optional.empty(), 0, 0, false, -1);

  /** Whether what was to be journaled was. */
  public enum Outcome {
    /** It was. */
    OK,
    /** The journal is too long: write a snapshot first. Nothing was journaled. */
    LONG,
    /** The segment has another history than the caller: read it again. Nothing was journaled. */
    REREAD
  }
}
