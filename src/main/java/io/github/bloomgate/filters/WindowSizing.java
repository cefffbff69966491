package io.github.bloomgate.filters;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Shapes;
import io.github.bloomgate.model.Window;

/**
 * What a filter with a window takes, and what one would take that remembers for ever.
 *
 * @param parameters of the filter with a window
 * @param fixed the shape of a filter for as many elements as a window has, with the same rate
 */
public record WindowSizing(FilterParameters parameters, FilterShape fixed) {

  /** Compares a filter that has a window with one that has none. */
  public static WindowSizing of(FilterParameters parameters) {
    return new WindowSizing(
        parameters,
        Shapes.shapeFor(
            parameters.hashScheme(),
            parameters.expectedInsertions(),
            parameters.falsePositiveProbability()));
  }

  /** Its window. */
  public Window window() {
    return parameters.window().orElseThrow();
  }

  /** The rate of an ideal hash when as many rings are full as can be, after rounding. */
  public double falsePositiveProbability() {
    var ring = window().ring(parameters.shape());
    var layout = window().layout(parameters.expectedInsertions(), ring.segments());
    var rate =
        Sizing.meanFalsePositiveProbability(
            layout.ringInsertions(), ring.segmentBits(), ring.numHashFunctions());
    return -Math.expm1(layout.fullRings() * Math.log1p(-rate));
  }
}
