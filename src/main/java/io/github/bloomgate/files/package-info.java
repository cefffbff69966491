/**
 * Filters as files: export and import, in the format of the service and in those of other
 * libraries.
 *
 * <p>A file is written and read as it streams, with one block in memory. An import is a rebuild
 * that is loaded from a file, see {@code rebuild}. What the files look like is in {@code portable},
 * which knows no Redis. Start with {@link io.github.bloomgate.files.ExportService} and {@link
 * io.github.bloomgate.files.ImportService}.
 */
package io.github.bloomgate.files;
