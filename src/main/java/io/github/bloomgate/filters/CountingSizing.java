package io.github.bloomgate.filters;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Shapes;

/**
 * The size of a filter with counters compared with a plain one.
 *
 * @param parameters of the filter with counters
 * @param fixed the shape of a plain filter for the same n and p
 */
public record CountingSizing(FilterParameters parameters, FilterShape fixed) {

  public static CountingSizing of(FilterParameters parameters) {
    return new CountingSizing(
        parameters,
        Shapes.shapeFor(
            parameters.hashScheme(),
            parameters.expectedInsertions(),
            parameters.falsePositiveProbability()));
  }

  public long counters() {
    return parameters.places(parameters.shape()).bitSize();
  }

  /** The rate of an ideal hash with n elements, after rounding. */
  public double falsePositiveProbability() {
    return Sizing.meanFalsePositiveProbability(
        parameters.expectedInsertions(), counters(), parameters.shape().numHashFunctions());
  }
}
