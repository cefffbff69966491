/**
 * Elements as lines: bytes of any length are cut into lines, and lines are decoded to elements,
 * with no more than a line and a buffer in memory. Knows neither HTTP nor filters, so that whatever
 * has lines may feed it: a request, a file, an answer of another service. Start with {@link
 * io.github.bloomgate.model.lines.ElementLines}.
 */
package io.github.bloomgate.model.lines;
