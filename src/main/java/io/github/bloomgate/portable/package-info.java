/**
 * The portable file of a filter, as {@code docs/export-format.md} defines it: written to and read
 * from plain streams with one block in memory. Depends on {@code filter} for what a header says and
 * on no framework but a JSON parser. Start with {@link
 * io.github.bloomgate.portable.FilterFileReader}.
 */
package io.github.bloomgate.portable;
