package io.github.bloomgate.store;

import io.github.bloomgate.filter.BitmapVersion;
import io.github.bloomgate.filter.Generation;
import java.util.Optional;

/**
 * What became of a bitmap that was to take the place of a segment's.
 *
 * @param outcome whether it has
 * @param version the one the segment has since, if it has; unknown otherwise
 * @param next the generation that an open rebuild loads, as {@link AddReply} has it
 * @param replicas how many have it; negative if that was not waited for
 */
public record MergeReply(
    Outcome outcome, BitmapVersion version, Optional<Generation> next, int replicas) {

  /** Whether a bitmap has taken the place of a segment's; if not, nothing was changed. */
  public enum Outcome {
    /** It has. */
    MERGED,
    /** The segment is not as it was read: others have added to it. */
    CHANGED,
    /** The segment does not take so many insertions. */
    FULL
  }
}
