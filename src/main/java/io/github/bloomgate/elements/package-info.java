/**
 * Add and test.
 *
 * <p>In go the name of a filter and the bytes of elements, out comes for each whether it is new or
 * may be there. {@link io.github.bloomgate.elements.ElementService} finds the filter, {@code
 * HashedElements} hashes and sorts by segment, {@code SegmentJournals} gives each segment one turn
 * at a time, and {@code SegmentTurns} takes it: one call that all who wait share, then the replay
 * in a copy, see {@code journal}. Knows {@code filters} for which filter is live and {@code store}
 * for the scripts.
 */
package io.github.bloomgate.elements;
