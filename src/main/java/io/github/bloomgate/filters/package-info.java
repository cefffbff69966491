/**
 * A filter's life: create, adopt, describe, list, expire, clear, rename and delete, and the names
 * and quotas of all filters.
 *
 * <p>Each change is one script, and takes effect in one step. {@link
 * io.github.bloomgate.filters.LiveFilters} finds the filter that has a name, {@link
 * io.github.bloomgate.filters.Attempts} reads it again if it has changed, and {@link
 * io.github.bloomgate.filters.Changes} turns refusals into errors. Start with {@link
 * io.github.bloomgate.filters.CreationService} and {@link
 * io.github.bloomgate.filters.FilterService}.
 */
package io.github.bloomgate.filters;
