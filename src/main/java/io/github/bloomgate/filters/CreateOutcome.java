package io.github.bloomgate.filters;

/**
 * What a request to create a filter led to.
 *
 * @param created false if it existed with the same parameters
 * @param description the filter as it is now
 */
public record CreateOutcome(boolean created, Description description) {}
