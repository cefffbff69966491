package io.github.bloomgate.filter;

/**
 * What one segment counts in its state, exact at any moment.
 *
 * @param bitsSet bits that are 1
 * @param insertions adds that changed a bit
 */
public record SegmentCounts(long bitsSet, long insertions) {}
