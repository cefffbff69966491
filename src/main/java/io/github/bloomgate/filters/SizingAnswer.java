package io.github.bloomgate.filters;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.Sizing;
import java.util.Optional;

/**
 * Parameters that fit together.
 *
 * @param expectedInsertions n
 * @param falsePositiveProbability the rate of an ideal hash with n elements, after rounding
 * @param shape m and k, rounded as for a filter
 */
public record SizingAnswer(
    HashScheme scheme,
    long expectedInsertions,
    double falsePositiveProbability,
    FilterShape shape) {

  static SizingAnswer of(HashScheme scheme, long expectedInsertions, FilterShape shape) {
    return new SizingAnswer(
        scheme,
        expectedInsertions,
        Sizing.meanFalsePositiveProbability(
            expectedInsertions, shape.bitSize(), shape.numHashFunctions()),
        shape);
  }

  /** The scheme's warning, if it cannot keep the rate. */
  public Optional<String> schemeWarning() {
    return scheme.warning(expectedInsertions, falsePositiveProbability, shape);
  }
}
