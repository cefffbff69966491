/**
 * New content for a filter that is in use: rebuild, replace, copy, merge, and rebuilds from a
 * source on a schedule.
 *
 * <p>All of them load a next generation from elements, bitmaps or a {@link
 * io.github.bloomgate.model.source.Source}, and replace the live one in one step, see {@link
 * io.github.bloomgate.rebuild.Rebuilds}. The next generation is invisible until the commit. Depends
 * on {@code elements}, which writes every add to both generations while a rebuild is open, and on
 * {@code filters}.
 */
package io.github.bloomgate.rebuild;
