package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.model.error.RequestErrors;
import java.util.Optional;

/**
 * For how long a filter remembers an element. The window is cut into slices, and each segment has a
 * ring of bits for every slice of it and one more: what is added goes into the ring of the newest
 * slice, and an element is known if any ring that is not too old has all its bits. When a slice
 * begins, the oldest ring is emptied for it.
 *
 * <p>The slices by time begin by the clock of Redis. Those by insertions begin in each segment by
 * itself, when the newest one there has its part.
 *
 * @param seconds how long an element is remembered at least; 0 if that is by insertions
 * @param insertions how many later ones an element outlasts at least; 0 if that is by time
 * @param slices how many there are in the window; there is one ring more
 * @param refresh whether an element that is added again is remembered for a whole window again
 * @param sliceMillis how long a slice is; 0 if it ends by insertions
 * @param sliceInsertions how many elements a slice takes in each segment; 0 if it ends by time
 */
public record Window(
    long seconds,
    long insertions,
    int slices,
    boolean refresh,
    long sliceMillis,
    long sliceInsertions) {

  /** The slices if none are given. */
  public static final int DEFAULT_SLICES = 8;

  /** The fewest. */
  public static final int MIN_SLICES = 2;

  /** The most: each makes a test slower, and needs more bits for an element. */
  public static final int MAX_SLICES = 64;

  /** The longest window: ten years. */
  public static final long MAX_SECONDS = 315_360_000;

  private static final int WORD_BITS = 64;

  /** Checks that it is either by time or by insertions, and that its slices are. */
  public Window {
    var isByTime = seconds > 0 && sliceMillis > 0 && insertions == 0 && sliceInsertions == 0;
    var isByInsertions = insertions > 0 && sliceInsertions > 0 && seconds == 0 && sliceMillis == 0;
    if (isByTime == isByInsertions || slices < MIN_SLICES || slices > MAX_SLICES) {
      throw new IllegalArgumentException("no window: %d, %d".formatted(seconds, insertions));
    }
  }

  /** A window by time. */
  public static Window ofSeconds(long seconds, int slices, boolean refresh) {
    return new Window(seconds, 0, slices, refresh, Shapes.ceilDiv(1000 * seconds, slices), 0);
  }

  /** A window by insertions, of a filter of one segment. */
  public static Window ofInsertions(long insertions, int slices, boolean refresh) {
    return new Window(0, insertions, slices, refresh, 0, Shapes.ceilDiv(insertions, slices));
  }

  /** How many rings of bits a segment has. */
  public int rings() {
    return slices + 1;
  }

  /**
   * About how many bits tell that an element is in none of them. Half of the bits are 0, so in each
   * ring about two.
   */
  public int looks() {
    return 2 * rings();
  }

  /** Whether its slices begin by the clock. */
  public boolean isByTime() {
    return seconds > 0;
  }

  /**
   * The parameters of a filter with such a window. The rates of all rings together stay within what
   * is asked for while no slice gets more than its part of the elements.
   *
   * @param expectedInsertions how many elements there are in a window
   * @throws io.github.bloomgate.model.error.BloomException INVALID_REQUEST if the scheme is another
   *     library's; LIMIT_EXCEEDED if the filter would be too large
   */
  FilterParameters of(
      HashScheme hashScheme, long expectedInsertions, double falsePositiveProbability) {
    if (!hashScheme.canGrow()) {
      throw RequestErrors.invalid(
          "window does not go with the hashScheme %s: its library knows no filters that forget. Send bloomgate-1 or bloomgate-1-keyed, or leave window out."
              .formatted(hashScheme.id()));
    }
    Shapes.requireRate(hashScheme, falsePositiveProbability);
    var ring =
        Shapes.shapeFor(
            hashScheme, sliceInsertions(expectedInsertions), falsePositiveProbability / rings());
    var segments = Shapes.ceilDiv(ring.bitSize(), mostRingBits());
    var ringBits = Shapes.ceilDiv(Shapes.ceilDiv(ring.bitSize(), segments), WORD_BITS) * WORD_BITS;
    Shapes.checkBitSize(segments * ringBits * rings());
    return new FilterParameters(
        hashScheme,
        expectedInsertions,
        falsePositiveProbability,
        new FilterShape((int) segments, ringBits * rings(), ring.numHashFunctions()),
        WhenFull.ACCEPT,
        Optional.empty(),
        Optional.of(inSegments(segments)),
        false);
  }

  private long mostRingBits() {
    return Sizing.MAX_SEGMENT_BITS / rings() / WORD_BITS * WORD_BITS;
  }

  /** Whether a filter with this window can have these segments. */
  public boolean isIn(FilterShape shape) {
    var asAsked =
        isByTime()
            ? ofSeconds(seconds, slices, refresh)
            : ofInsertions(insertions, slices, refresh).inSegments(shape.segments());
    return equals(asAsked)
        && Shapes.isCut(shape, (long) WORD_BITS * rings(), mostRingBits() * rings());
  }

  /**
   * Elements spread over segments by chance: a window of four standard deviations above the average
   * lets each segment remember those of its own that are among the last of all.
   */
  private Window inSegments(long segments) {
    if (isByTime()) {
      return this;
    }
    var average = (double) insertions / segments;
    var most = segments == 1 ? insertions : (long) Math.ceil(average + 4 * Math.sqrt(average));
    return new Window(0, insertions, slices, refresh, 0, Shapes.ceilDiv(most, slices));
  }

  /** How many of the elements of a window are the part of one slice. */
  public long sliceInsertions(long expectedInsertions) {
    return Shapes.ceilDiv(expectedInsertions, slices);
  }

  /** The rings of a segment in the order of the ages of their slices, the newest first. */
  public byte[] byAge(byte[] segment, long newest) {
    var slices = new byte[segment.length];
    var bytes = segment.length / rings();
    for (var age = 0; age < rings(); age++) {
      System.arraycopy(segment, bytes * ring(newest - age), slices, bytes * age, bytes);
    }
    return slices;
  }

  /** Those that are in the order of their ages, each at its place. */
  public byte[] inRings(byte[] slices, long newest) {
    var segment = new byte[slices.length];
    var bytes = slices.length / rings();
    for (var age = 0; age < rings(); age++) {
      System.arraycopy(slices, bytes * age, segment, bytes * ring(newest - age), bytes);
    }
    return segment;
  }

  private int ring(long slice) {
    return Math.floorMod(slice, rings());
  }

  /** What a ring is as a filter of its own: in it are the bits of an element. */
  public FilterShape ring(FilterShape shape) {
    return new FilterShape(
        shape.segments(), shape.segmentBits() / rings(), shape.numHashFunctions());
  }
}
