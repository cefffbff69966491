package io.github.bloomgate.filters;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.Sizing;
import java.util.Optional;

/**
 * Parameters that fit together.
 *
 * @param scheme the rules they were computed by
 * @param expectedInsertions n
 * @param falsePositiveProbability the rate of an ideal hash with n elements, after rounding
 * @param shape m and k, rounded as the filter would have them
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

  /** What the scheme says of a rate that it cannot keep; empty if it does. */
  public Optional<String> schemeWarning() {
    return scheme.warning(expectedInsertions, falsePositiveProbability, shape);
  }
}
