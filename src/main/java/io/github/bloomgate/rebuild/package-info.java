/**
 * New content for a filter that is in use: rebuild, replace, copy, merge, and rebuilds from a
 * source on a schedule.
 *
 * <p>All of them load a next generation beside the live one and put it in its place in one step, by
 * {@link io.github.bloomgate.rebuild.RebuildService}. In go elements, bitmaps or a {@link
 * io.github.bloomgate.model.source.Source}; nothing of it is seen before the commit. Knows {@code
 * elements}, which writes every add to both generations while a rebuild is open, and {@code
 * filters}.
 */
package io.github.bloomgate.rebuild;
