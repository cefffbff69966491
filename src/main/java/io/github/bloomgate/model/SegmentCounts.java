package io.github.bloomgate.model;

/**
 * What one segment counts in its state.
 *
 * @param bitsSet bits that are 1, exact at any moment
 * @param insertions adds that changed a bit, exact; after a merge an estimate; of an adopted bitmap
 *     what its counter says, or if it has none those made through the service
 */
public record SegmentCounts(long bitsSet, long insertions) {}
