package io.github.bloomgate.filters;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Shapes;

/**
 * What a filter that counts takes, and what one would take from which nothing can be removed.
 *
 * @param parameters of the filter that counts
 * @param fixed the shape of a filter of bits for the same n and p
 */
public record CountingSizing(FilterParameters parameters, FilterShape fixed) {

  /** Compares a filter of counters with one of bits. */
  public static CountingSizing of(FilterParameters parameters) {
    return new CountingSizing(
        parameters,
        Shapes.shapeFor(
            parameters.hashScheme(),
            parameters.expectedInsertions(),
            parameters.falsePositiveProbability()));
  }

  /** How many counters there are. */
  public long counters() {
    return parameters.places(parameters.shape()).bitSize();
  }

  /** The rate of an ideal hash with n elements, after rounding. */
  public double falsePositiveProbability() {
    return Sizing.meanFalsePositiveProbability(
        parameters.expectedInsertions(), counters(), parameters.shape().numHashFunctions());
  }
}
