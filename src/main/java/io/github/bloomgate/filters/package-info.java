/**
 * A filter's life: create, adopt, describe, list, expire, clear, rename and delete, and the sizes
 * and quotas that a filter must fit.
 *
 * <p>A change is made to the first segment of a filter by one script and takes effect there; {@link
 * io.github.bloomgate.filters.Reconciler} lets the later segments follow. In goes a name or a
 * {@link io.github.bloomgate.model.Filter}, out comes a {@link
 * io.github.bloomgate.filters.Description} or a {@code BloomException}. It knows {@code store} and
 * nothing of HTTP, of adding or of rebuilding; {@link io.github.bloomgate.filters.LiveFilters} is
 * what the rooms above ask which filter a name is. Start with {@link
 * io.github.bloomgate.filters.CreationService} and {@link
 * io.github.bloomgate.filters.FilterService}.
 */
package io.github.bloomgate.filters;
