package io.github.bloomgate.source;

/**
 * What a filter is rebuilt from, and when.
 *
 * @param origin where the elements are
 * @param schedule when they are read
 * @param allowEmpty whether an origin without elements empties the filter; else the run fails
 */
public record Source(Origin origin, Schedule schedule, boolean allowEmpty) {}
