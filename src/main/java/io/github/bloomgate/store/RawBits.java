package io.github.bloomgate.store;

import java.util.OptionalLong;

/**
 * Elements to test or add in raw content.
 *
 * @param offsets the offset of each bit of each element, 4 bytes each
 * @param maxInsertions insertions from which new elements are refused
 */
public record RawBits(RawContent raw, byte[] offsets, OptionalLong maxInsertions) {}
