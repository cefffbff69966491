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
 * The parameters a filter was created with. Stored with it and never recomputed.
 *
 * @param hashScheme maps elements to bit positions
 * @param expectedInsertions n, the capacity
 * @param falsePositiveProbability p, kept up to n elements
 * @param shape of the first layer; with a window or counters, a segment includes the bits of all
 *     rings or counters
 * @param kind what a segment keeps of an element, and for how long
 */
public record FilterParameters(
    HashScheme hashScheme,
    long expectedInsertions,
    double falsePositiveProbability,
    FilterShape shape,
    FilterKind kind) {

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
        new Plain(whenFull));
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
        ? new FilterParameters(hashScheme, n, p, best.shape, best.kind)
        : best;
  }

  public WhenFull whenFull() {
    return kind.whenFull();
  }

  /** The first layer, not opened yet. */
  Layer firstLayer() {
    return kind.layer(0, expectedInsertions, kind.firstShare() * falsePositiveProbability, shape);
  }

  /** The shape that contains the positions of an element in the first layer. */
  public FilterShape places() {
    return kind.places(shape);
  }

  /** The same with bits instead of counters. */
  public FilterParameters withBits() {
    return new FilterParameters(
        hashScheme,
        expectedInsertions,
        falsePositiveProbability,
        places(),
        new Plain(kind.whenFull()));
  }

  /** The same with another scheme that computes the same shapes. */
  public FilterParameters withHashScheme(HashScheme scheme) {
    return with(scheme, kind);
  }

  /** The same with another scheme and kind, with which the shape is the same. */
  public FilterParameters with(HashScheme scheme, FilterKind other) {
    return new FilterParameters(scheme, expectedInsertions, falsePositiveProbability, shape, other);
  }

  /**
   * The scheme's warning about a false-positive rate it cannot keep; see {@link
   * HashScheme#warning}.
   */
  public Optional<String> schemeWarning() {
    return hashScheme.warning(expectedInsertions, falsePositiveProbability, shape);
  }
}
