package io.github.bloomgate.filters;

/**
 * The result of a request to create a filter.
 *
 * @param created false if it existed with the same parameters
 * @param description the current state of the filter
 */
public record CreateOutcome(boolean created, Description description) {}
