package io.github.bloomgate.filters;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Shapes;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;

/**
 * The size of a filter, compared with a plain one.
 *
 * @param plan its parameters and layers
 * @param elements the number of elements that both hold
 * @param falsePositiveProbability the rate of an ideal hash when it holds the elements, after
 *     rounding; with a window, at its highest
 * @param plain the shape of the plain filter, for the same rate; its own if it is plain
 */
public record SizingAnswer(
    FilterPlan plan, long elements, double falsePositiveProbability, FilterShape plain) {

  /** A plain filter of a shape that holds n elements. */
  static SizingAnswer plain(HashScheme scheme, long n, FilterShape shape) {
    return plain(new FilterParameters(scheme, n, rate(n, shape), shape, WhenFull.ACCEPT));
  }

  static SizingAnswer plain(FilterParameters parameters) {
    return new SizingAnswer(
        FilterPlan.of(parameters),
        parameters.expectedInsertions(),
        parameters.falsePositiveProbability(),
        parameters.shape());
  }

  /** A filter with a window or counters. */
  public static SizingAnswer of(FilterParameters parameters) {
    var rate =
        parameters
            .window()
            .map(window -> rate(parameters, window))
            .orElseGet(
                () -> rate(parameters.expectedInsertions(), parameters.places(parameters.shape())));
    return compared(FilterPlan.of(parameters), parameters.expectedInsertions(), rate);
  }

  /**
   * A filter that starts with n elements and grows.
   *
   * @param factor how many times the capacity of the layer before it a layer has
   * @throws io.github.bloomgate.model.error.BloomException INVALID_REQUEST if the scheme cannot
   *     grow; LIMIT_EXCEEDED if neither it nor any filter can hold {@code growsTo} elements
   */
  public static SizingAnswer grown(HashScheme scheme, long n, double p, int factor, long growsTo) {
    var growth = new Growth(factor, Growth.MAX_SIZE_BYTES);
    var parameters = growth.parameters(scheme, n, p);
    var plan = growth.planFor(parameters, growsTo);
    var none =
        plan.layers().stream()
            .mapToDouble(layer -> Math.log1p(-rate(layer.expectedInsertions(), layer.shape())))
            .sum();
    return compared(plan, growsTo, -Math.expm1(none));
  }

  private static SizingAnswer compared(FilterPlan plan, long elements, double rate) {
    var parameters = plan.parameters();
    return new SizingAnswer(
        plan,
        elements,
        rate,
        Shapes.shapeFor(parameters.hashScheme(), elements, parameters.falsePositiveProbability()));
  }

  private static double rate(long elements, FilterShape shape) {
    return Sizing.meanFalsePositiveProbability(elements, shape.bitSize(), shape.numHashFunctions());
  }

  /** The rate with the most possible full rings. */
  private static double rate(FilterParameters parameters, Window window) {
    var ring = window.ring(parameters.shape());
    var layout = window.layout(parameters.expectedInsertions(), ring.segments());
    var rate =
        Sizing.meanFalsePositiveProbability(
            layout.ringInsertions(), ring.segmentBits(), ring.numHashFunctions());
    return -Math.expm1(layout.fullRings() * Math.log1p(-rate));
  }
}
