package io.github.bloomgate.filters;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Shapes;
import io.github.bloomgate.model.Window;

/**
 * The size of a filter with a window compared with a plain one.
 *
 * @param parameters of the filter with a window
 * @param fixed the shape of a plain filter for the elements of a window, with the same rate
 */
public record WindowSizing(FilterParameters parameters, FilterShape fixed) {

  public static WindowSizing of(FilterParameters parameters) {
    return new WindowSizing(
        parameters,
        Shapes.shapeFor(
            parameters.hashScheme(),
            parameters.expectedInsertions(),
            parameters.falsePositiveProbability()));
  }

  public Window window() {
    return parameters.window().orElseThrow();
  }

  /** The rate of an ideal hash with the most possible full rings, after rounding. */
  public double falsePositiveProbability() {
    var ring = window().ring(parameters.shape());
    var layout = window().layout(parameters.expectedInsertions(), ring.segments());
    var rate =
        Sizing.meanFalsePositiveProbability(
            layout.ringInsertions(), ring.segmentBits(), ring.numHashFunctions());
    return -Math.expm1(layout.fullRings() * Math.log1p(-rate));
  }
}
