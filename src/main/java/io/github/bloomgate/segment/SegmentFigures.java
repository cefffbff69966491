package io.github.bloomgate.segment;

import java.util.List;

/**
 * The counts in a segment header.
 *
 * @param newest the Redis time of the latest add, in Unix milliseconds; 0 for none
 * @param bitsSet bits that are 1
 * @param insertions new elements, less removals
 * @param countersAboveZero counters above 0, if the segment counts
 * @param countersFull counters that never change again, if the segment counts
 * @param rings the rings in use, newest first, if the segment has a window
 */
public record SegmentFigures(
    long newest,
    long bitsSet,
    long insertions,
    long countersAboveZero,
    long countersFull,
    List<RingCounts> rings) {

  public SegmentFigures {
    rings = List.copyOf(rings);
  }
}
