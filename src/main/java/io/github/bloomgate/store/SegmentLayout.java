package io.github.bloomgate.store;

/**
 * The lengths of the parts of a segment, in bytes.
 *
 * @param journalLimit the length from which a journal takes no more blocks
 */
public record SegmentLayout(int bitmapBytes, int headerBytes, int journalLimit) {}
