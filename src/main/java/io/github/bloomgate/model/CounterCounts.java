package io.github.bloomgate.model;

/**
 * The state of the {@link Counters} of one segment.
 *
 * @param above0 counters above 0
 * @param full counters at {@link Counters#MOST}, which never change again
 */
public record CounterCounts(long above0, long full) {}
