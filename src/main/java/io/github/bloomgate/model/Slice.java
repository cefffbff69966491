package io.github.bloomgate.model;

/**
 * The position of a segment in its {@link Window}.
 *
 * @param number the slice that took the latest element
 * @param taken the elements it took
 * @param now the current slice by the clock; the same as {@code number} if slices end by insertions
 */
public record Slice(long number, long taken, long now) {}
