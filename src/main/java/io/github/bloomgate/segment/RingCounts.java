package io.github.bloomgate.segment;

/**
 * The counts of one ring of a window.
 *
 * @param begin by time when its first element came, in Unix milliseconds; by insertions its number
 * @param end by time: the latest time of its last element; by insertions: its number
 * @param elements elements written to it, new or refreshed
 * @param bitsSet bits that are 1
 */
public record RingCounts(long begin, long end, long elements, long bitsSet) {}
