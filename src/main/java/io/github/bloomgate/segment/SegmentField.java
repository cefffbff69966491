package io.github.bloomgate.segment;

/**
 * A number to write to a segment in place.
 *
 * @param bit the offset of its first bit in the segment
 * @param bits its width
 */
public record SegmentField(long bit, int bits, long value) {}
