package io.github.bloomgate.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.segment.WindowLayout;
import java.util.Optional;

/**
 * How long a filter remembers an element. Each of its segments has rings of bits, as {@link
 * WindowLayout} says.
 *
 * @param seconds how long an element is remembered at least; 0 if that is by insertions
 * @param insertions how many later ones an element outlasts at least; 0 if that is by time
 * @param slices into how many the window is cut: an element is remembered for a slice longer at
 *     most
 * @param refresh whether an element that is added again is remembered for a whole window again
 */
public record Window(long seconds, long insertions, int slices, boolean refresh) {

  /** The slices if none are given. */
  public static final int DEFAULT_SLICES = 8;

  /** The fewest. */
  public static final int MIN_SLICES = 2;

  /** The most: each makes a test slower, and needs more bits for an element. */
  public static final int MAX_SLICES = 64;

  /** The longest window: ten years. */
  public static final long MAX_SECONDS = 315_360_000;

  private static final int WORD_BITS = 64;
  private static final int MILLIS = 1_000;

  /** Checks that it is either by time or by insertions, and that its slices are. */
  public Window {
    if (seconds < 0
        || insertions < 0
        || seconds > 0 == insertions > 0
        || slices < MIN_SLICES
        || slices > MAX_SLICES) {
      throw new IllegalArgumentException("no window: %d, %d".formatted(seconds, insertions));
    }
  }

  /** A window by time. */
  public static Window ofSeconds(long seconds, int slices, boolean refresh) {
    return new Window(seconds, 0, slices, refresh);
  }

  /** A window by insertions. */
  public static Window ofInsertions(long insertions, int slices, boolean refresh) {
    return new Window(0, insertions, slices, refresh);
  }

  /** Whether elements are forgotten by the clock. */
  @JsonIgnore
  public boolean isByTime() {
    return seconds > 0;
  }

  /** How long a slice is; 0 if elements are forgotten by insertions. */
  public long sliceMillis() {
    return isByTime() ? Shapes.ceilDiv(MILLIS * seconds, slices) : 0;
  }

  /**
   * The rings of each segment of a filter with this window.
   *
   * @param expectedInsertions how many elements come within a window
   * @param segments among which they are spread
   */
  public WindowLayout layout(long expectedInsertions, int segments) {
    return isByTime()
        ? WindowLayout.ofMillis(MILLIS * seconds, slices, expectedInsertions, segments, refresh)
        : WindowLayout.ofInsertions(slices, insertions, segments, refresh);
  }

  /** How many rings of bits a segment has. */
  public int rings() {
    return layout(1, 1).rings();
  }

  /** By insertions: how many elements as many segments remember at most. */
  public long mostRemembered(int segments) {
    var layout = layout(insertions, segments);
    return layout.ringInsertions() * layout.rings() * segments;
  }

  /**
   * The parameters of a filter with this window. All rings together keep the rate, however the
   * elements of a window are spread over it.
   *
   * @param expectedInsertions how many elements come within a window
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
    var average = ring(hashScheme, expectedInsertions, falsePositiveProbability, 1);
    var ring =
        ring(
            hashScheme,
            expectedInsertions,
            falsePositiveProbability,
            (int) Shapes.ceilDiv(average.bitSize(), mostRingBits()));
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
        Optional.of(this),
        false);
  }

  /** A ring of all segments, which is larger the more of them there are: chance fills one first. */
  private FilterShape ring(HashScheme hashScheme, long n, double p, int segments) {
    var layout = layout(n, segments);
    return Shapes.shapeFor(
        hashScheme, (long) segments * layout.ringInsertions(), layout.ringProbability(p));
  }

  private long mostRingBits() {
    return Sizing.MAX_SEGMENT_BITS / rings() / WORD_BITS * WORD_BITS;
  }

  /** Whether a filter with this window can have these segments. */
  public boolean isIn(FilterShape shape) {
    return Shapes.isCut(shape, (long) WORD_BITS * rings(), mostRingBits() * rings());
  }

  /** What a ring is as a filter of its own: in it are the bits of an element. */
  public FilterShape ring(FilterShape shape) {
    return new FilterShape(
        shape.segments(), shape.segmentBits() / rings(), shape.numHashFunctions());
  }
}
