/**
 * The files of filters, in the format of the service and in those of other libraries, as {@code
 * docs/export-format.md} defines them: written to and read from plain streams with one block in
 * memory. Depends on {@code model} for what a header says and on no framework but a JSON parser.
 * Start with {@link io.github.bloomgate.files.portable.FilterFiles}.
 */
package io.github.bloomgate.files.portable;
