package io.github.bloomgate.segment;

/**
 * A number to be written into a segment in place.
 *
 * @param bit the offset of its first bit, from the beginning of the segment
 * @param bits how many it has
 */
public record SegmentField(long bit, int bits, long value) {}
