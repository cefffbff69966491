package io.github.bloomgate.model.error;

/**
 * One value of a request that is not acceptable.
 *
 * @param in where it is: {@code path}, {@code query} or {@code body}
 * @param field its name, or its path within the body
 * @param message what is wrong and which values are right; never the value of an element
 */
public record Violation(String in, String field, String message) {}
