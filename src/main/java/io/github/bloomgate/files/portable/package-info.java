/**
 * Filter files in the formats of {@code docs/export-format.md}, written to and read from streams
 * with one block in memory. Depends on {@code model} and on no framework except a JSON parser.
 * Start with {@link io.github.bloomgate.files.portable.FileFormat}.
 */
package io.github.bloomgate.files.portable;
