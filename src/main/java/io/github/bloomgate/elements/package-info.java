/**
 * Add, test, remove and count.
 *
 * <p>{@link io.github.bloomgate.elements.ElementService} takes the elements of a request, {@link
 * io.github.bloomgate.elements.ElementCalls} finds the filter, and {@link
 * io.github.bloomgate.elements.Rounds} asks each segment once for all waiting requests, then
 * replays its journal in a copy, see {@code segment}. {@link
 * io.github.bloomgate.elements.WholeSegments} reads and joins whole segments. Depends on {@code
 * filters} for the live generation and on {@code store} for the scripts.
 */
package io.github.bloomgate.elements;
