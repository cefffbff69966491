package io.github.bloomgate.model;

import io.github.bloomgate.segment.RingCounts;
import java.util.List;
import java.util.Optional;

/**
 * What one segment counts.
 *
 * @param bitsSet bits that are 1; with a window, of the rings that are remembered
 * @param insertions adds that changed a bit; after a merge an estimate; of an adopted bitmap what
 *     its counter says, or if it has none those made through the service; with a window, all that
 *     were ever new; where elements can be removed, less those that were
 * @param rings with a window, the rings that are remembered, the newest first
 * @param counters where elements can be removed, what its counters are; else empty
 */
public record SegmentCounts(
    long bitsSet, long insertions, List<RingCounts> rings, Optional<CounterCounts> counters) {

  /** Has the rings not changed by others. */
  public SegmentCounts {
    rings = List.copyOf(rings);
  }

  /** Of a segment that neither forgets nor counts, or of an empty one. */
  public SegmentCounts(long bitsSet, long insertions) {
    this(bitsSet, insertions, List.of(), Optional.empty());
  }

  /** Of a segment with counters. */
  public SegmentCounts(long bitsSet, long insertions, CounterCounts counters) {
    this(bitsSet, insertions, List.of(), Optional.of(counters));
  }

  /** Of a segment with a window. */
  public SegmentCounts(List<RingCounts> rings, long insertions) {
    this(rings.stream().mapToLong(RingCounts::bitsSet).sum(), insertions, rings, Optional.empty());
  }

  /** How many of the bits that an element has are set: of counters those that are not 0. */
  public long placesSet() {
    return counters.map(CounterCounts::above0).orElse(bitsSet);
  }
}
