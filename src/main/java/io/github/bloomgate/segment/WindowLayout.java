package io.github.bloomgate.segment;

import java.util.List;

/**
 * How the segments of a filter with a window are laid out: as rings, each a small Bloom filter.
 *
 * <p><b>By time</b> a ring takes new elements for one slice of the window, or until it has {@code
 * ringInsertions}, whichever comes first. Rings are then ordered in time, and an element is known
 * while its ring ended less than a window ago. Of the rings that answer, at most q are full, one
 * straddles the beginning of the window and one is being filled; each has a false-positive rate of
 * p / (q + 1), so their sum keeps the promise for any arrival of at most n elements in a window. q
 * + slices rings are enough: q - 1 that were filled, slices - 1 that ended by time, the straddler
 * and the newest.
 *
 * <p><b>By insertions</b> a ring takes its part of the window, and slices + 1 rings hold at least
 * one window.
 *
 * @param windowMillis how long an element is remembered at least; 0 by insertions
 * @param slices into how many the window is cut
 * @param ringInsertions after which a ring takes no more
 * @param rings how many there are
 * @param refresh whether adding a known element again makes it young
 */
public record WindowLayout(
    long windowMillis, int slices, long ringInsertions, int rings, boolean refresh) {

  private static final int FEWEST_PARTS = 16;
  private static final int MOST_PARTS = 64;

  /** Bytes of a ring in the header: its begin, its end, its elements, and how many bits are 1. */
  static final int RING_BYTES = 4 * Long.BYTES;

  /** Checks that there are slices, and a ring more than slices at least. */
  public WindowLayout {
    if (windowMillis < 0 || slices < 2 || rings <= slices || ringInsertions < 1) {
      throw new IllegalArgumentException(
          "no window: %d ms, %d slices, %d rings of %d insertions"
              .formatted(windowMillis, slices, rings, ringInsertions));
    }
  }

  /** Into how many parts the elements of a window are cut. */
  public static int parts(int slices) {
    return Math.min(Math.max(2 * slices, FEWEST_PARTS), MOST_PARTS);
  }

  /**
   * A window by time.
   *
   * @param expectedInsertions n, the most elements that come within a window and a slice
   * @param segments among which they are spread by chance
   */
  public static WindowLayout ofMillis(
      long windowMillis, int slices, long expectedInsertions, int segments, boolean refresh) {
    var parts = parts(slices);
    return new WindowLayout(
        windowMillis,
        slices,
        ceilDiv(inSegment(expectedInsertions, segments), parts),
        parts + slices,
        refresh);
  }

  /** A window by insertions; n is how many later elements each outlasts at least. */
  public static WindowLayout ofInsertions(
      int slices, long expectedInsertions, int segments, boolean refresh) {
    return new WindowLayout(
        0, slices, ceilDiv(inSegment(expectedInsertions, segments), slices), slices + 1, refresh);
  }

  /** The false-positive rate that each ring may have so that all keep {@code p}. */
  public double ringProbability(double p) {
    return p / fullRings();
  }

  /** How long a ring takes elements at most; 0 by insertions. */
  public long sliceMillis() {
    return ceilDiv(windowMillis, slices);
  }

  /** Four standard deviations above the average: no segment gets more but by rare chance. */
  private static long inSegment(long elements, int segments) {
    var average = (double) elements / segments;
    return segments == 1 ? elements : (long) Math.ceil(average + 4 * Math.sqrt(average));
  }

  private static long ceilDiv(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  /** Whether elements are forgotten by time. */
  public boolean isByTime() {
    return windowMillis > 0;
  }

  /** Whether a ring is remembered at a time of Redis. */
  boolean isRemembered(RingCounts ring, long millis) {
    return !isByTime() || millis < ring.end() + windowMillis;
  }

  /** The rings that are remembered at a time of Redis, in the same order. */
  public List<RingCounts> remembered(List<RingCounts> rings, long millis) {
    return rings.stream().filter(ring -> isRemembered(ring, millis)).toList();
  }

  /**
   * Whether more elements came than the window is made for, so that its rate may be above p.
   * Nothing is forgotten early then.
   *
   * @param remembered the rings of a segment that are remembered
   */
  public boolean isOverfull(List<RingCounts> remembered) {
    var most = ringInsertions;
    return isByTime()
        && (remembered.stream()
                .anyMatch(
                    ring -> ring.elements() > most || ring.end() - ring.begin() > sliceMillis())
            || remembered.stream().mapToLong(RingCounts::elements).sum() > fullRings() * most);
  }

  /** How many rings that are full share the false-positive rate. */
  public int fullRings() {
    return isByTime() ? parts(slices) + 1 : rings;
  }

  /** What a segment keeps of its rings in its header, in bytes. */
  public int headerBytes() {
    return headerBytes(rings);
  }

  /** The bytes of the header that describe the rings. */
  static int headerBytes(int rings) {
    return Long.BYTES + rings * RING_BYTES;
  }
}
