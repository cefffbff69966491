package io.github.bloomgate.store;

/**
 * What a test of a batch has found.
 *
 * @param maybe for each element, in order, whether it might be contained
 * @param isFull whether the segment refuses new elements at that moment, and so for ever
 */
public record TestReply(boolean[] maybe, boolean isFull) {}
