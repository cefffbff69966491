package io.github.bloomgate.segment;

/**
 * What one ring of a window counts.
 *
 * @param begin by time when its first element came, in Unix milliseconds; by insertions its number
 * @param end by time when it took its last element at the latest; by insertions its number
 * @param elements how many elements were written into it, new ones and refreshed ones
 * @param bitsSet how many of its bits are 1
 */
public record RingCounts(long begin, long end, long elements, long bitsSet) {}
