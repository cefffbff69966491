package io.github.bloomgate.model;

import io.github.bloomgate.segment.RingCounts;
import java.util.List;
import java.util.Optional;

/**
 * The counts of one segment.
 *
 * @param bitsSet bits that are 1; with a window, in the rings that have not expired
 * @param insertions adds that changed a bit, less removals; an estimate after a merge; includes
 *     expired elements; for an adopted bitmap the library's counter, or without one the adds made
 *     through the service
 * @param rings with a window, the rings that have not expired, newest first
 * @param counters the state of the counters, if the filter has any
 */
public record SegmentCounts(
    long bitsSet, long insertions, List<RingCounts> rings, Optional<CounterCounts> counters) {

  public SegmentCounts {
    rings = List.copyOf(rings);
  }

  /** A segment without window and counters, or an empty one. */
  public SegmentCounts(long bitsSet, long insertions) {
    this(bitsSet, insertions, List.of(), Optional.empty());
  }

  public SegmentCounts(long bitsSet, long insertions, CounterCounts counters) {
    this(bitsSet, insertions, List.of(), Optional.of(counters));
  }

  public SegmentCounts(List<RingCounts> rings, long insertions) {
    this(rings.stream().mapToLong(RingCounts::bitsSet).sum(), insertions, rings, Optional.empty());
  }

  /** The set bits, or the counters above 0. */
  public long placesSet() {
    return counters.map(CounterCounts::above0).orElse(bitsSet);
  }
}
