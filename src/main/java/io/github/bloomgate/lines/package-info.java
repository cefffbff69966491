/**
 * Elements as lines: splits input of any length into lines and decodes them to elements, with only
 * a line and a buffer in memory. Independent of HTTP and filters, so that requests, files and
 * responses of other services can use it. Start with {@link
 * io.github.bloomgate.lines.ElementLines}.
 */
package io.github.bloomgate.lines;
