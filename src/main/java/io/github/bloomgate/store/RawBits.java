package io.github.bloomgate.store;

/**
 * Elements to test or add in raw content.
 *
 * @param offsets the offset of each bit of each element, 4 bytes each
 * @param maxInsertions insertions from which new elements are refused; 0 for no limit
 */
public record RawBits(RawContent raw, byte[] offsets, long maxInsertions) {}
