/**
 * Filters: create, adopt, describe, list, expire, clear, rename and delete, with the names and
 * quotas of all filters.
 *
 * <p>Each change is one script, so it takes effect in one step. {@link
 * io.github.bloomgate.filters.LiveFilters} finds a filter by name, {@link
 * io.github.bloomgate.filters.Attempts} reads it again if it has changed, and {@link
 * io.github.bloomgate.filters.ChangeReplies} turns refusals into errors. Start with {@link
 * io.github.bloomgate.filters.CreationService} and {@link
 * io.github.bloomgate.filters.FilterService}.
 */
package io.github.bloomgate.filters;
