package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a filter was created with. Stored with it and never recomputed.
 *
 * @param hashScheme the rule from elements to bit positions
 * @param expectedInsertions n, how many elements it was sized for
 * @param falsePositiveProbability p, promised as long as it holds no more than that
 * @param shape segments, bits of each, hash functions; of one that grows those of its first layer
 * @param whenFull what happens to new elements beyond n
 * @param growth how it grows, if it does
 * @param window for how long it remembers elements, if not for ever; then n is what comes within
 *     it, and a segment has the bits of all slices
 * @param counting whether it has {@link Counters}, so that elements can be removed; then a segment
 *     has the bits of all of them
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

  /** The most elements a filter may be sized for. */
  public static final long MAX_EXPECTED_INSERTIONS = 100_000_000_000L;

  /** The rate of a filter whose number of elements is all that is asked for. */
  public static final double DEFAULT_FALSE_POSITIVE_PROBABILITY = 0.01;

  /** The lowest rate that can be asked for. */
  public static final double MIN_FALSE_POSITIVE_PROBABILITY = 1e-12;

  /** By how much a filter may miss what it promises. */
  private static final double TOLERANCE = 1.1;

  /** The most hash functions: what a file of Guava's can hold, many more than any rate needs. */
  public static final int MAX_HASH_FUNCTIONS = 255;

  /**
   * Checks that it is known how a filter grows, and of no other; that a window is never full; and
   * that what counts does neither.
   */
  public FilterParameters {
    if (growth.isPresent() != (whenFull == WhenFull.GROW)) {
      throw new IllegalArgumentException("whenFull is %s with %s".formatted(whenFull, growth));
    }
    if (window.isPresent()
        && (whenFull != WhenFull.ACCEPT
            || shape.segmentBits() % ((long) Byte.SIZE * window.get().rings()) != 0)) {
      throw new IllegalArgumentException("%s does not fit %s".formatted(window, shape));
    }
    if (counting
        && (growth.isPresent() || window.isPresent() || shape.segmentBits() % Long.SIZE != 0)) {
      throw new IllegalArgumentException("counters do not fit %s".formatted(shape));
    }
  }

  /** The parameters of a filter that remembers for ever. */
  public FilterParameters(
      HashScheme hashScheme,
      long expectedInsertions,
      double falsePositiveProbability,
      FilterShape shape,
      WhenFull whenFull,
      Optional<Growth> growth) {
    this(
        hashScheme,
        expectedInsertions,
        falsePositiveProbability,
        shape,
        whenFull,
        growth,
        Optional.empty(),
        false);
  }

  /** The parameters of a filter that does not grow either. */
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
        Optional.empty());
  }

  /**
   * Sizes the first layer of a filter that grows.
   *
   * @throws BloomException as {@link #forElements}; INVALID_REQUEST also if the scheme cannot grow,
   *     or the bound is too small
   */
  public static FilterParameters growing(
      HashScheme hashScheme,
      long expectedInsertions,
      double falsePositiveProbability,
      Growth growth) {
    return growth.of(hashScheme, expectedInsertions, falsePositiveProbability);
  }

  /**
   * Sizes a filter that forgets.
   *
   * @param expectedInsertions how many elements there are in a window
   * @throws BloomException as {@link #forElements}; INVALID_REQUEST also if the scheme cannot
   */
  public static FilterParameters windowed(
      HashScheme hashScheme,
      long expectedInsertions,
      double falsePositiveProbability,
      Window window) {
    return window.of(hashScheme, expectedInsertions, falsePositiveProbability);
  }

  /**
   * Sizes a filter whose elements can be removed.
   *
   * @throws BloomException as {@link #forElements}; INVALID_REQUEST also if the scheme cannot
   */
  public static FilterParameters counting(
      HashScheme hashScheme,
      long expectedInsertions,
      double falsePositiveProbability,
      WhenFull whenFull) {
    return Counters.of(hashScheme, expectedInsertions, falsePositiveProbability, whenFull);
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
   * Takes the bits as given. The filter then promises what they are best for: half of the bits set,
   * where each hash function halves the rate. Of so few bits that this would not be true it
   * promises the rate that they have.
   *
   * @throws BloomException LIMIT_EXCEEDED if it has more than {@link #MAX_BIT_SIZE} or the scheme
   *     allows; INVALID_REQUEST if the scheme cannot have this shape
   */
  public static FilterParameters forShape(
      HashScheme hashScheme, long bitSize, int numHashFunctions, WhenFull whenFull) {
    var shape = Shapes.shapeOf(hashScheme, bitSize, numHashFunctions);
    var best = Math.pow(0.5, numHashFunctions);
    var insertions =
        Math.max(1, Sizing.expectedInsertions(shape.bitSize(), numHashFunctions, best));
    var rate = Sizing.meanFalsePositiveProbability(insertions, shape.bitSize(), numHashFunctions);
    return new FilterParameters(
        hashScheme, insertions, rate <= TOLERANCE * best ? best : rate, shape, whenFull);
  }

  /**
   * Takes what a library stored with its filter.
   *
   * @param expectedInsertions the library's n, and
   * @param falsePositiveProbability its p; where they make no sense, what the bits are best for
   * @throws BloomException as {@link #forShape}
   */
  public static FilterParameters asStored(
      HashScheme hashScheme,
      long bitSize,
      int numHashFunctions,
      OptionalLong expectedInsertions,
      OptionalDouble falsePositiveProbability) {
    if (numHashFunctions > MAX_HASH_FUNCTIONS) {
      throw RequestErrors.limitExceeded(
          "The filter has %d hash functions; the limit is %d. Make a new one with a higher rate and add its elements again."
              .formatted(numHashFunctions, MAX_HASH_FUNCTIONS));
    }
    var best = forShape(hashScheme, bitSize, numHashFunctions, WhenFull.ACCEPT);
    var n = expectedInsertions.orElse(0);
    var p = falsePositiveProbability.orElse(0);
    return n > 0 && n <= MAX_EXPECTED_INSERTIONS && p > 0 && p < 1
        ? new FilterParameters(hashScheme, n, p, best.shape, WhenFull.ACCEPT)
        : best;
  }

  /** Whether its segments hold bits that are never unset: it neither forgets nor counts. */
  public boolean isPlain() {
    return window.isEmpty() && !counting;
  }

  /** The same with bits in place of counters. */
  public FilterParameters withBits() {
    return new FilterParameters(
        hashScheme, expectedInsertions, falsePositiveProbability, Counters.of(shape), whenFull);
  }

  /** The same with another scheme that makes the same shapes. */
  public FilterParameters withHashScheme(HashScheme scheme) {
    return new FilterParameters(
        scheme,
        expectedInsertions,
        falsePositiveProbability,
        shape,
        whenFull,
        growth,
        window,
        counting);
  }

  /** Where the positions of an element are, of segments with these bits. */
  public FilterShape places(FilterShape bitmaps) {
    return counting ? Counters.of(bitmaps) : window.map(some -> some.ring(bitmaps)).orElse(bitmaps);
  }

  /** Whether an element has the same bits in a filter of these and of other parameters. */
  public boolean hasBitsOf(FilterParameters other) {
    return hashScheme.equals(other.hashScheme)
        && shape.equals(other.shape)
        && window.equals(other.window)
        && counting == other.counting;
  }

  /** What the scheme says of a false-positive rate that it cannot keep; see {@link HashScheme}. */
  public Optional<String> schemeWarning() {
    return hashScheme.warning(expectedInsertions, falsePositiveProbability, shape);
  }

  /**
   * How many elements one segment takes before it refuses, or 0 if it never does.
   *
   * <p>Elements spread over segments by chance. Four standard deviations above the average let a
   * filter of several segments take its n before one of them is full by bad luck, at a cost of less
   * than half a percent of elements beyond n.
   */
  public long maxInsertionsPerSegment() {
    if (whenFull == WhenFull.ACCEPT) {
      return 0;
    }
    if (whenFull == WhenFull.GROW) {
      return Growth.maxInsertionsPerSegment(expectedInsertions, shape);
    }
    if (shape.segments() == 1) {
      return expectedInsertions;
    }
    var average = (double) expectedInsertions / shape.segments();
    return (long) Math.ceil(average + 4 * Math.sqrt(average));
  }
}
