package io.github.bloomgate.model.error;

/**
 * A parameter in which an existing filter differs from what was asked for.
 *
 * @param field the parameter's name
 * @param existing its value in the filter that exists
 * @param requested its value in the request
 */
public record Difference(String field, Object existing, Object requested) {}
