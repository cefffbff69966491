package io.github.bloomgate.service;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.Sizing;

/**
 * Parameters that fit together.
 *
 * @param expectedInsertions n
 * @param falsePositiveProbability the rate with n elements, after rounding
 * @param shape m and k, rounded as the filter would have them
 */
public record SizingAnswer(
    long expectedInsertions, double falsePositiveProbability, FilterShape shape) {

  static SizingAnswer of(long expectedInsertions, FilterShape shape) {
    return new SizingAnswer(
        expectedInsertions,
        Sizing.falsePositiveProbability(
            expectedInsertions, shape.bitSize(), shape.numHashFunctions()),
        shape);
  }
}
