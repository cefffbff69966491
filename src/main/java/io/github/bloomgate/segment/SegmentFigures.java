package io.github.bloomgate.segment;

import java.util.List;

/**
 * What the header of a segment counts.
 *
 * @param newest the latest time of Redis at which an element came, in Unix milliseconds; 0 for none
 * @param bitsSet how many bits are 1
 * @param insertions how many elements were new; where they can be removed, how many are there
 * @param countersAboveZero of a counting segment, counters that are not 0
 * @param countersFull of a counting segment, counters that stay where they are
 * @param rings of a segment with a window, the rings in use, the newest first
 */
public record SegmentFigures(
    long newest,
    long bitsSet,
    long insertions,
    long countersAboveZero,
    long countersFull,
    List<RingCounts> rings) {

  /** Copies the rings. */
  public SegmentFigures {
    rings = List.copyOf(rings);
  }
}
