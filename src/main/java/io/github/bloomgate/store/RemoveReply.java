package io.github.bloomgate.store;

/**
 * What became of a batch of removals.
 *
 * @param removed for each element, in order, whether it was known
 * @param replicas how many have it; negative if that was not waited for
 */
public record RemoveReply(boolean[] removed, int replicas) {}
