package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.segment.SegmentFormat;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The parameters a filter was created with. Stored with it and never recomputed.
 *
 * @param hashScheme maps elements to bit positions
 * @param expectedInsertions n, the capacity
 * @param falsePositiveProbability p, kept up to n elements
 * @param shape of the first layer; with a window or counters, a segment includes the bits of all
 *     rings or counters
 * @param whenFull what happens to new elements above n
 * @param growth how it grows, if it does
 * @param window how long it keeps elements, if they expire; n is then the number of elements within
 *     it
 * @param counting whether it has {@link Counters}, so that elements can be removed
 */
public record FilterParameters(
    HashScheme hashScheme,
    long expectedInsertions,
    double falsePositiveProbability,
    FilterShape shape,
    WhenFull whenFull,
    Optional<Growth> growth,
    Optional<Window> window,
    boolean counting) {

  /** The most bits of one filter: 2^36, which is 8 GiB in 4096 segments. */
  public static final long MAX_BIT_SIZE = 1L << 36;

  public static final long MAX_EXPECTED_INSERTIONS = 100_000_000_000L;

  public static final double DEFAULT_FALSE_POSITIVE_PROBABILITY = 0.01;

  /** The accepted ratio of actual to requested false-positive rate. */
  private static final double TOLERANCE = 1.1;

  /** The highest rate below 1, for a filter that is full with one element. */
  private static final double MAX_RATE = Math.nextDown(1.0);

  /** The limit of Guava's file format, far more than any rate needs. */
  public static final int MAX_HASH_FUNCTIONS = 255;

  /** Checks that growth, window and counting fit together. */
  public FilterParameters {
    if (growth.isPresent() != (whenFull == WhenFull.GROW)
        || (window.isPresent() && whenFull != WhenFull.ACCEPT)
        || (counting && (growth.isPresent() || window.isPresent()))) {
      throw new IllegalArgumentException(
          "whenFull is %s, with %s, %s and counting %s"
              .formatted(whenFull, growth, window, counting));
    }
  }

  /** A filter of bits that neither grows nor has a window. */
  public FilterParameters(
      HashScheme hashScheme,
      long expectedInsertions,
      double falsePositiveProbability,
      FilterShape shape,
      WhenFull whenFull) {
    this(
        hashScheme,
        expectedInsertions,
        falsePositiveProbability,
        shape,
        whenFull,
        Optional.empty(),
        Optional.empty(),
        false);
  }

  /**
   * Sizes a filter for a number of elements.
   *
   * @throws BloomException LIMIT_EXCEEDED if it would need more than {@link #MAX_BIT_SIZE} or the
   *     scheme allows; INVALID_REQUEST if the scheme has no such rule
   */
  public static FilterParameters forElements(
      HashScheme hashScheme,
      long expectedInsertions,
      double falsePositiveProbability,
      WhenFull whenFull) {
    var shape = Shapes.shapeFor(hashScheme, expectedInsertions, falsePositiveProbability);
    return new FilterParameters(
        hashScheme, expectedInsertions, falsePositiveProbability, shape, whenFull);
  }

  /**
   * Uses a given shape. n and p follow from it: at n elements half of the bits are set, and each
   * hash function halves the rate. With very few bits, p is the actual rate.
   *
   * @throws BloomException LIMIT_EXCEEDED if it exceeds {@link #MAX_BIT_SIZE} or the scheme's
   *     limit; INVALID_REQUEST if the scheme cannot have this shape
   */
  public static FilterParameters forShape(
      HashScheme hashScheme, long bitSize, int numHashFunctions, WhenFull whenFull) {
    var shape = Shapes.shapeOf(hashScheme, bitSize, numHashFunctions);
    var best = Math.pow(0.5, numHashFunctions);
    var insertions =
        Math.max(1, Sizing.expectedInsertions(shape.bitSize(), numHashFunctions, best));
    var rate = Sizing.meanFalsePositiveProbability(insertions, shape.bitSize(), numHashFunctions);
    return new FilterParameters(
        hashScheme,
        insertions,
        rate <= TOLERANCE * best ? best : Math.min(MAX_RATE, rate),
        shape,
        whenFull);
  }

  /**
   * Uses the parameters that a library stored.
   *
   * @param expectedInsertions the library's n
   * @param falsePositiveProbability the library's p; if n or p is implausible, both follow from the
   *     shape
   * @throws BloomException as {@link #forShape}
   */
  public static FilterParameters asStored(
      HashScheme hashScheme,
      long bitSize,
      long numHashFunctions,
      OptionalLong expectedInsertions,
      OptionalDouble falsePositiveProbability) {
    if (numHashFunctions > MAX_HASH_FUNCTIONS) {
      throw RequestErrors.limitExceeded(
          "The filter has %d hash functions; the limit is %d. Make a new one with a higher rate and add its elements again."
              .formatted(numHashFunctions, MAX_HASH_FUNCTIONS));
    }
    var best = forShape(hashScheme, bitSize, (int) numHashFunctions, WhenFull.ACCEPT);
    var n = expectedInsertions.orElse(0);
    var p = falsePositiveProbability.orElse(0);
    return n > 0 && n <= MAX_EXPECTED_INSERTIONS && p > 0 && p < 1
        ? new FilterParameters(hashScheme, n, p, best.shape, WhenFull.ACCEPT)
        : best;
  }

  /** Whether bits are never unset: there is neither a window nor counters. */
  public boolean isPlain() {
    return window.isEmpty() && !counting;
  }

  /** The same with bits instead of counters. */
  public FilterParameters withBits() {
    return new FilterParameters(
        hashScheme, expectedInsertions, falsePositiveProbability, Counters.of(shape), whenFull);
  }

  /** The same with another scheme that computes the same shapes, and another policy. */
  public FilterParameters with(HashScheme scheme, WhenFull policy) {
    return new FilterParameters(
        scheme,
        expectedInsertions,
        falsePositiveProbability,
        shape,
        policy,
        growth,
        window,
        counting);
  }

  /**
   * The shape that contains the positions of an element, without the bits of rings and counters.
   */
  public FilterShape places(FilterShape bitmaps) {
    return counting ? Counters.of(bitmaps) : window.map(some -> some.ring(bitmaps)).orElse(bitmaps);
  }

  /** Whether an element has the same bits with the other parameters. */
  public boolean hasBitsOf(FilterParameters other) {
    return hashScheme.equals(other.hashScheme)
        && shape.equals(other.shape)
        && window.equals(other.window)
        && counting == other.counting;
  }

  /**
   * The scheme's warning about a false-positive rate it cannot keep; see {@link
   * HashScheme#warning}.
   */
  public Optional<String> schemeWarning() {
    return hashScheme.warning(expectedInsertions, falsePositiveProbability, shape);
  }

  public SegmentFormat segmentFormat(Layer layer) {
    SegmentFormat.Kind kind =
        window.isPresent()
            ? new SegmentFormat.Windowed(
                window.get().layout(expectedInsertions, layer.shape().segments()))
            : counting
                ? new SegmentFormat.Counting(maxInsertions(layer))
                : new SegmentFormat.Fixed(maxInsertions(layer));
    return new SegmentFormat(
        Math.toIntExact(layer.shape().segmentBytes()), layer.shape().numHashFunctions(), kind);
  }

  /**
   * The capacity of a segment of a layer, after which it refuses elements; 0 if it never does.
   *
   * <p>Elements spread randomly over segments. With four standard deviations above the average, a
   * filter of several segments reaches n before one of them happens to be full, and exceeds n by
   * less than half a percent. A layer of a growing filter takes exactly its share, because the next
   * layer takes the rest; so it never exceeds its rate.
   */
  public long maxInsertions(Layer layer) {
    var n = layer.expectedInsertions();
    var segments = layer.shape().segments();
    var average = (double) n / segments;
    return switch (whenFull) {
      case ACCEPT -> 0;
      case REJECT -> segments == 1 ? n : (long) Math.ceil(average + 4 * Math.sqrt(average));
      case GROW -> Sizing.ceilDiv(n, segments);
    };
  }
}
