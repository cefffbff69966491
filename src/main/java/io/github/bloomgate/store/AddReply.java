package io.github.bloomgate.store;

/**
 * What became of a batch of adds.
 *
 * @param added for each element applied, in order, whether it changed a bit
 * @param full whether the segment refused the next element, and so all after it, as it is full
 */
public record AddReply(boolean[] added, boolean full) {}
