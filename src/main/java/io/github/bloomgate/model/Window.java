package io.github.bloomgate.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.segment.SegmentCounts;
import io.github.bloomgate.segment.SegmentFormat;
import io.github.bloomgate.segment.WindowLayout;
import java.util.Map;
import java.util.Optional;

/**
 * How long a filter keeps elements. Each segment has rings of bits, see {@link WindowLayout}.
 *
 * @param seconds the least time an element is kept; 0 for a window by insertions
 * @param insertions the least number of later elements for which one is kept; 0 for a window by
 *     time
 * @param slices the number of slices; an element is kept at most one slice longer
 * @param refresh whether every add restarts the window of its element; otherwise a window begins
 *     only with an add of an element that is not known, and one that is a false positive may be
 *     forgotten early
 */
public record Window(long seconds, long insertions, int slices, boolean refresh)
    implements FilterKind {

  public static final int DEFAULT_SLICES = 8;

  public static final int MIN_SLICES = 2;

  /** Each slice slows tests down and needs more bits per element. */
  public static final int MAX_SLICES = 64;

  /** Ten years. */
  public static final long MAX_SECONDS = 315_360_000;

  private static final int WORD_BITS = 64;
  private static final int MILLIS = 1_000;

  public Window {
    if (seconds < 0
        || seconds > MAX_SECONDS
        || insertions < 0
        || insertions > FilterParameters.MAX_EXPECTED_INSERTIONS
        || seconds > 0 == insertions > 0
        || slices < MIN_SLICES
        || slices > MAX_SLICES) {
      throw new IllegalArgumentException(
          "impossible window: %d seconds, %d insertions".formatted(seconds, insertions));
    }
  }

  public static Window ofSeconds(long seconds, int slices, boolean refresh) {
    return new Window(seconds, 0, slices, refresh);
  }

  public static Window ofInsertions(long insertions, int slices, boolean refresh) {
    return new Window(0, insertions, slices, refresh);
  }

  @JsonIgnore
  public boolean isByTime() {
    return seconds > 0;
  }

  /** The length of a slice; 0 for a window by insertions. */
  public long sliceMillis() {
    return layout(1, 1).sliceMillis();
  }

  /**
   * The rings of each segment.
   *
   * @param expectedInsertions the number of elements within a window
   * @param segments the segments among which they are spread
   */
  public WindowLayout layout(long expectedInsertions, int segments) {
    return isByTime()
        ? WindowLayout.ofMillis(MILLIS * seconds, slices, expectedInsertions, segments, refresh)
        : WindowLayout.ofInsertions(slices, insertions, segments, refresh);
  }

  public int rings() {
    return layout(1, 1).rings();
  }

  /** By insertions: the most elements that {@code segments} segments keep. */
  public long mostRemembered(int segments) {
    var layout = layout(insertions, segments);
    return layout.ringInsertions() * layout.rings() * segments;
  }

  /** Expired elements make room. */
  @Override
  public WhenFull whenFull() {
    return WhenFull.ACCEPT;
  }

  /**
   * The parameters of a filter with this window. All rings together keep the rate, however the
   * elements are distributed over the window.
   *
   * @param expectedInsertions the number of elements within a window
   * @throws io.github.bloomgate.model.error.BloomException INVALID_REQUEST if the scheme is another
   *     library's; LIMIT_EXCEEDED if the filter would be too large
   */
  @Override
  public FilterParameters parameters(
      HashScheme hashScheme, long expectedInsertions, double falsePositiveProbability) {
    Shapes.requireNative(hashScheme, "window", "filters whose elements expire", "leave window out");
    Shapes.requireRate(hashScheme, falsePositiveProbability);
    var average = ring(hashScheme, expectedInsertions, falsePositiveProbability, 1);
    var ring =
        ring(
            hashScheme,
            expectedInsertions,
            falsePositiveProbability,
            (int) Sizing.ceilDiv(average.bitSize(), mostRingBits()));
    var shape =
        FilterShape.cut(
            rings() * ring.bitSize(),
            (long) rings() * WORD_BITS,
            rings() * mostRingBits(),
            ring.numHashFunctions());
    Shapes.checkBitSize(shape.bitSize());
    return new FilterParameters(
        hashScheme, expectedInsertions, falsePositiveProbability, shape, this);
  }

  /** One ring of all segments. More segments need more room, because they fill up unevenly. */
  private FilterShape ring(HashScheme hashScheme, long n, double p, int segments) {
    var layout = layout(n, segments);
    return Shapes.shapeFor(
        hashScheme, (long) segments * layout.ringInsertions(), layout.ringProbability(p));
  }

  private long mostRingBits() {
    return Sizing.MAX_SEGMENT_BITS / rings() / WORD_BITS * WORD_BITS;
  }

  @Override
  public boolean isIn(HashScheme hashScheme, FilterShape shape) {
    return Shapes.isCut(shape, (long) WORD_BITS * rings(), mostRingBits() * rings());
  }

  /** The shape of one ring. */
  @Override
  public FilterShape places(FilterShape stored) {
    return new FilterShape(
        stored.segments(), stored.segmentBits() / rings(), stored.numHashFunctions());
  }

  @Override
  public SegmentFormat.Kind content(long expectedInsertions, int segments) {
    return new SegmentFormat.Windowed(layout(expectedInsertions, segments));
  }

  @Override
  public Map<String, Object> fields() {
    return Map.of(
        isByTime() ? "window.seconds" : "window.insertions",
        isByTime() ? seconds : insertions,
        "slices",
        slices,
        "refresh",
        refresh);
  }

  @Override
  public Map<String, Object> placeFields() {
    return Map.of("window.seconds", seconds, "slices", slices);
  }

  @Override
  public Optional<String> refusal(FilterKind replacement) {
    return replacement instanceof Window
        ? Optional.empty()
        : Optional.of("has a window, but its replacement has none");
  }

  @Override
  public Optional<String> mergeRefusal() {
    return isByTime()
        ? Optional.empty()
        : Optional.of(
            "has a window of insertions and cannot be merged, because the order of elements in different filters is unknown. Create another filter with the same window and add the elements of both to it.");
  }

  @Override
  public Optional<String> bitsRefusal() {
    return Optional.of("has a window, so its elements have ages, which bits do not contain");
  }

  /** The rate with the most possible full rings. */
  @Override
  public double highestRate(FilterParameters parameters) {
    var ring = parameters.places();
    var layout = layout(parameters.expectedInsertions(), ring.segments());
    var rate =
        Sizing.meanFalsePositiveProbability(
            layout.ringInsertions(), ring.segmentBits(), ring.numHashFunctions());
    return -Math.expm1(layout.fullRings() * Math.log1p(-rate));
  }

  /** Elements that expire are not counted any more. */
  @Override
  public boolean countsInsertions() {
    return false;
  }

  @Override
  public long[] bitsSet(SegmentCounts segment) {
    return segment.rings().stream().mapToLong(SegmentCounts.Ring::bitsSet).toArray();
  }

  @Override
  public int bitmaps() {
    return rings();
  }
}
