/**
 * Export and import of filters, in the formats of the service and of other libraries.
 *
 * <p>Files are streamed, with one block in memory. An import is a rebuild loaded from a file, see
 * {@code rebuild}. The formats are in {@code portable}, which does not use Redis. Start with {@link
 * io.github.bloomgate.files.ExportService} and {@link io.github.bloomgate.files.ImportService}.
 */
package io.github.bloomgate.files;
