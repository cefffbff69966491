package io.github.bloomgate.model.error;

/**
 * An invalid value of a request.
 *
 * @param in {@code path}, {@code query} or {@code body}
 * @param field its name, or its path within the body
 * @param message the fault and the valid values; never the value of an element
 */
public record Violation(String in, String field, String message) {}
