package io.github.bloomgate.store;

import io.github.bloomgate.model.Generation;
import java.util.BitSet;
import java.util.Optional;

/**
 * What became of a batch of adds.
 *
 * @param added for each element applied, in order, whether it changed a bit
 * @param refused of a filter that grows, which of them the segment refused as it is full: they
 *     belong in the next layer
 * @param full of any other, whether the segment refused the next element, and so all after it, as
 *     it is full
 * @param next the generation that an open rebuild loads, as this segment knew at that moment; only
 *     the first segment of a live filter ever knows one
 * @param replicas how many have it; negative if that was not waited for
 */
public record AddReply(
    boolean[] added, BitSet refused, boolean full, Optional<Generation> next, int replicas) {}
