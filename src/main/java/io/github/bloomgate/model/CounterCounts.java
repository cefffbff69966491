package io.github.bloomgate.model;

/**
 * What one segment of a filter with {@link Counters} counts of them.
 *
 * @param above0 how many are not 0
 * @param full how many are at {@link Counters#MOST}, where they stay
 */
public record CounterCounts(long above0, long full) {}
