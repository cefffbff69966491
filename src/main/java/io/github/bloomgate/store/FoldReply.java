package io.github.bloomgate.store;

import io.github.bloomgate.model.Generation;
import java.util.Optional;

/**
 * What became of a snapshot that was to take the place of a segment's.
 *
 * @param done whether it has
 * @param next the generation that an open rebuild loads, as {@link SegmentResult} has it
 * @param base position of the first byte of the journal
 * @param folded position of the snapshot
 * @param replicas how many have it; negative if that was not waited for
 */
public record FoldReply(
    boolean done, Optional<Generation> next, long base, long folded, int replicas) {}
