package io.github.bloomgate.segment;

import io.github.bloomgate.hash.Sizing;
import java.util.List;

/**
 * The layout of segments with a window: rings, each a small Bloom filter.
 *
 * <p><b>By time</b> a ring takes new elements for one slice of the window, or until it has {@code
 * ringInsertions}, whichever comes first. Rings are then ordered in time, and an element is known
 * while its ring ended less than a window ago. At most q of these rings are full, one straddles the
 * beginning of the window and one is being filled; each has a false-positive rate of p / (q + 1),
 * so their sum stays within p for any arrival of at most n elements in a window. q + slices rings
 * are enough: q - 1 full ones, slices - 1 that ended by time, the straddling one and the newest.
 *
 * <p><b>By insertions</b> a ring takes one slice of the window, and slices + 1 rings hold at least
 * one window.
 *
 * @param windowMillis the least time an element is kept; 0 by insertions
 * @param slices the number of slices of the window
 * @param ringInsertions the capacity of a ring
 * @param rings the number of rings
 * @param refresh whether an add writes an element that is known, so that its window begins again
 */
public record WindowLayout(
    long windowMillis, int slices, long ringInsertions, int rings, boolean refresh) {

  private static final int FEWEST_PARTS = 16;
  private static final int MOST_PARTS = 64;

  /** Header bytes of a ring: begin, end, elements, bits that are 1. */
  static final int RING_BYTES = 4 * Long.BYTES;

  /** The number of parts of a window's elements. */
  public static int parts(int slices) {
    return Math.min(Math.max(2 * slices, FEWEST_PARTS), MOST_PARTS);
  }

  /**
   * A window by time.
   *
   * @param expectedInsertions n, the most elements within a window and a slice
   * @param segments the segments among which the hash spreads them
   */
  public static WindowLayout ofMillis(
      long windowMillis, int slices, long expectedInsertions, int segments, boolean refresh) {
    var parts = parts(slices);
    return new WindowLayout(
        windowMillis,
        slices,
        Sizing.ceilDiv(inSegment(expectedInsertions, segments), parts),
        parts + slices,
        refresh);
  }

  /** A window by insertions; each element is kept for at least n later ones. */
  public static WindowLayout ofInsertions(
      int slices, long expectedInsertions, int segments, boolean refresh) {
    return new WindowLayout(
        0,
        slices,
        Sizing.ceilDiv(inSegment(expectedInsertions, segments), slices),
        slices + 1,
        refresh);
  }

  /** The false-positive rate of each ring that keeps the total at {@code p}. */
  public double ringProbability(double p) {
    return p / fullRings();
  }

  /** The longest time a ring takes elements; 0 by insertions. */
  public long sliceMillis() {
    return Sizing.ceilDiv(windowMillis, slices);
  }

  /**
   * Six standard deviations above the average. A segment exceeds it once in a billion windows; by
   * insertions, it would then forget elements early.
   */
  private static long inSegment(long elements, int segments) {
    var average = (double) elements / segments;
    return segments == 1 ? elements : (long) Math.ceil(average + 6 * Math.sqrt(average));
  }

  public boolean isByTime() {
    return windowMillis > 0;
  }

  /** Whether a ring with this end has not expired at a Redis time. */
  boolean isRemembered(long end, long millis) {
    return !isByTime() || millis < end + windowMillis;
  }

  /** The rings that have not expired at a Redis time, in the same order. */
  public List<SegmentCounts.Ring> remembered(List<SegmentCounts.Ring> rings, long millis) {
    return rings.stream().filter(ring -> isRemembered(ring.end(), millis)).toList();
  }

  /**
   * Whether the window has more elements than expected, so that its false-positive rate may be
   * above p. No element expires early.
   *
   * @param remembered the rings of a segment that have not expired
   */
  public boolean isOverfull(List<SegmentCounts.Ring> remembered) {
    var most = ringInsertions;
    return isByTime()
        && (remembered.stream()
                .anyMatch(
                    ring -> ring.elements() > most || ring.end() - ring.begin() > sliceMillis())
            || remembered.stream().mapToLong(SegmentCounts.Ring::elements).sum()
                > fullRings() * most);
  }

  /** The number of full rings that share the false-positive rate. */
  public int fullRings() {
    return isByTime() ? parts(slices) + 1 : rings;
  }

  public int headerBytes() {
    return headerBytes(rings);
  }

  static int headerBytes(int rings) {
    return Long.BYTES + rings * RING_BYTES;
  }
}
