/**
 * What a filter is: the values that all rooms speak in. Errors, elements as lines of text, and
 * sources are rooms within. Knows {@code hash} for shapes and schemes, and no framework. Start with
 * {@link io.github.bloomgate.model.Filter}.
 */
package io.github.bloomgate.model;
