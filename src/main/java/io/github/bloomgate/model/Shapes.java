package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.ShapeLimitException;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.util.function.Supplier;

/** Computes the shapes of filters within the limits of the scheme and the service. */
public final class Shapes {

  /** Above it, one hash function cannot reach the rate. Libraries accept all rates below 1. */
  private static final double MAX_NATIVE_RATE = 0.5;

  private Shapes() {}

  /**
   * The shape of a filter for a number of elements.
   *
   * @throws BloomException LIMIT_EXCEEDED if it exceeds {@link FilterParameters#MAX_BIT_SIZE},
   *     {@link FilterParameters#MAX_HASH_FUNCTIONS} or the scheme's limit; INVALID_REQUEST if the
   *     scheme has no such rule
   */
  public static FilterShape shapeFor(
      HashScheme hashScheme, long expectedInsertions, double falsePositiveProbability) {
    requireRate(hashScheme, falsePositiveProbability);
    var shape = shape(() -> hashScheme.shapeFor(expectedInsertions, falsePositiveProbability));
    checkBitSize(shape.bitSize());
    // No request may ask for so low a rate, but a filter can have it because of its hash functions.
    if (shape.numHashFunctions() > FilterParameters.MAX_HASH_FUNCTIONS) {
      throw RequestErrors.limitExceeded(
          "The filter would have %d hash functions for the falsePositiveProbability %s; the limit is %d. Ask for a higher falsePositiveProbability."
              .formatted(
                  shape.numHashFunctions(),
                  falsePositiveProbability,
                  FilterParameters.MAX_HASH_FUNCTIONS));
    }
    return shape;
  }

  /**
   * Checks that a filter can have more than the plain bits of a library's.
   *
   * @param parameter asks for it
   * @param lacking what the filters of a library do not have
   * @param remedy completes "or ..."
   * @throws BloomException INVALID_REQUEST if the scheme is another library's
   */
  static void requireNative(HashScheme scheme, String parameter, String lacking, String remedy) {
    if (!scheme.isNative()) {
      throw RequestErrors.invalid(
          "%s does not work with the hashScheme %s: its library has no %s. Send bloomgate-1 or bloomgate-1-keyed, or %s."
              .formatted(parameter, scheme.id(), lacking, remedy));
    }
  }

  /**
   * Checks a rate against the scheme's limit.
   *
   * @throws BloomException INVALID_REQUEST if it is higher
   */
  public static void requireRate(HashScheme hashScheme, double falsePositiveProbability) {
    var most = hashScheme.isNative() ? MAX_NATIVE_RATE : 1;
    if (falsePositiveProbability > most || falsePositiveProbability >= 1) {
      throw RequestErrors.invalid(
          "falsePositiveProbability is %s; with the hashScheme %s it must be %s. Nothing was changed; ask for a lower one."
              .formatted(
                  falsePositiveProbability,
                  hashScheme.id(),
                  most < 1 ? "at most " + most : "below 1"));
    }
  }

  /**
   * The shape of a filter of a number of bits, rounded up as the scheme requires.
   *
   * @throws BloomException LIMIT_EXCEEDED if it exceeds {@link FilterParameters#MAX_BIT_SIZE} or
   *     the scheme's limit; INVALID_REQUEST if the scheme cannot have this shape
   */
  public static FilterShape shapeOf(HashScheme hashScheme, long bitSize, int numHashFunctions) {
    checkBitSize(bitSize);
    var shape = shape(() -> hashScheme.shapeOf(bitSize, numHashFunctions));
    checkBitSize(shape.bitSize());
    return shape;
  }

  /**
   * Translates the exceptions of a scheme.
   *
   * @throws BloomException LIMIT_EXCEEDED if the shape exceeds the scheme's limits; INVALID_REQUEST
   *     if the scheme has no such shape
   */
  private static FilterShape shape(Supplier<FilterShape> question) {
    try {
      return question.get();
    } catch (ShapeLimitException beyond) {
      throw RequestErrors.limitExceeded(beyond.getMessage() + ".");
    } catch (IllegalArgumentException refused) {
      throw RequestErrors.invalid(refused.getMessage() + ".");
    }
  }

  /**
   * Checks a number of bits against {@link FilterParameters#MAX_BIT_SIZE}.
   *
   * @throws BloomException LIMIT_EXCEEDED if there are more
   */
  public static void checkBitSize(long bitSize) {
    if (bitSize > FilterParameters.MAX_BIT_SIZE) {
      throw RequestErrors.limitExceeded(
          "The filter would have %d bits (%d MiB); the limit is %d bits (%d MiB). Ask for fewer expectedInsertions or a higher falsePositiveProbability, or divide the elements among several filters."
              .formatted(
                  bitSize,
                  bitSize >> 23,
                  FilterParameters.MAX_BIT_SIZE,
                  FilterParameters.MAX_BIT_SIZE >> 23));
    }
  }

  /** Whether the scheme would divide as many bits into segments in this way. */
  static boolean isOf(HashScheme scheme, FilterShape shape) {
    try {
      return shape.equals(scheme.shapeOf(shape.bitSize(), shape.numHashFunctions()));
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }

  /**
   * Whether the bits are divided into as few segments as possible.
   *
   * @param unit the bits of a segment are a multiple of it
   * @param most the most bits of a segment
   */
  static boolean isCut(FilterShape shape, long unit, long most) {
    return shape.equals(FilterShape.cut(shape.bitSize(), unit, most, shape.numHashFunctions()));
  }
}
