package io.github.bloomgate.segment;

import java.util.List;

/**
 * The counts of one segment.
 *
 * @param placesSet bits that are 1, or counters above 0; with a window, in the rings that have not
 *     expired
 * @param insertions adds that changed a bit, less removals; an estimate after a merge; includes
 *     expired elements; for an adopted bitmap the library's counter, or without one the adds made
 *     through the service
 * @param fullCounters counters that have reached their limit and never change again
 * @param rings with a window, the rings that have not expired, newest first
 */
public record SegmentCounts(long placesSet, long insertions, long fullCounters, List<Ring> rings) {

  /**
   * The counts of one ring of a window.
   *
   * @param begin by time when its first element came, in Unix milliseconds; by insertions its
   *     number
   * @param end by time: the latest time of its last element; by insertions: its number
   * @param elements elements written to it, new or refreshed
   * @param bitsSet bits that are 1
   */
  public record Ring(long begin, long end, long elements, long bitsSet) {}

  /** The counts of a segment of any kind that does not exist yet. */
  public static final SegmentCounts NONE = new SegmentCounts(0, 0);

  public SegmentCounts {
    rings = List.copyOf(rings);
  }

  /** A segment without window and counters. */
  public SegmentCounts(long bitsSet, long insertions) {
    this(bitsSet, insertions, 0, List.of());
  }
}
