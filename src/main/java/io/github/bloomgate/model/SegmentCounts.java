package io.github.bloomgate.model;

import java.util.Optional;

/**
 * What one segment counts in its state.
 *
 * @param bitsSet bits that are 1, exact at any moment; where elements are forgotten, of the slices
 *     that are remembered
 * @param insertions adds that changed a bit, exact; after a merge an estimate; of an adopted bitmap
 *     what its counter says, or if it has none those made through the service; where elements are
 *     forgotten, all that were ever new; where they can be removed, less those that were
 * @param slices where elements are forgotten, what is remembered, if that was asked for; else the
 *     bits are those of all rings
 * @param counters where elements can be removed, what its counters are; else empty
 */
public record SegmentCounts(
    long bitsSet, long insertions, Optional<SliceCounts> slices, Optional<CounterCounts> counters) {

  /** Of a segment of which all is remembered, or all bits are of interest. */
  public SegmentCounts(long bitsSet, long insertions) {
    this(bitsSet, insertions, Optional.empty(), Optional.empty());
  }

  /** Of a segment with counters. */
  public SegmentCounts(long bitsSet, long insertions, CounterCounts counters) {
    this(bitsSet, insertions, Optional.empty(), Optional.of(counters));
  }

  /** How many of the bits that an element has are set: of counters those that are not 0. */
  public long placesSet() {
    return counters.map(CounterCounts::above0).orElse(bitsSet);
  }

  /** Of a segment that forgets. */
  public SegmentCounts(SliceCounts slices, long insertions) {
    this(slices.sum(), insertions, Optional.of(slices), Optional.empty());
  }
}
