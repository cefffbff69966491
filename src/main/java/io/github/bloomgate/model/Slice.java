package io.github.bloomgate.model;

/**
 * Where a segment is in its {@link Window}.
 *
 * @param number of the slice that took an element last
 * @param taken how many it took
 * @param now the slice that it is by the clock; the same where slices end by insertions
 */
public record Slice(long number, long taken, long now) {}
