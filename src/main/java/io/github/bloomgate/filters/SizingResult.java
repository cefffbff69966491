package io.github.bloomgate.filters;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Plain;
import io.github.bloomgate.model.Shapes;
import io.github.bloomgate.model.WhenFull;

/**
 * The size of a filter, compared with a plain one.
 *
 * @param plan its parameters and layers
 * @param elements the number of elements that both hold
 * @param falsePositiveProbability the rate of an ideal hash when it holds the elements, after
 *     rounding; with a window, at its highest
 * @param plain the shape of the plain filter, for the same rate; its own if it is plain
 */
public record SizingResult(
    FilterPlan plan, long elements, double falsePositiveProbability, FilterShape plain) {

  /** A plain filter of a shape that holds n elements. */
  static SizingResult plain(HashScheme scheme, long n, FilterShape shape) {
    return plain(
        new FilterParameters(scheme, n, rate(n, shape), shape, new Plain(WhenFull.ACCEPT)));
  }

  static SizingResult plain(FilterParameters parameters) {
    return new SizingResult(
        FilterPlan.of(parameters),
        parameters.expectedInsertions(),
        parameters.falsePositiveProbability(),
        parameters.shape());
  }

  /** A filter with a window or counters. */
  public static SizingResult of(FilterParameters parameters) {
    return compared(
        FilterPlan.of(parameters),
        parameters.expectedInsertions(),
        parameters.kind().highestRate(parameters));
  }

  /**
   * A filter that starts with n elements and grows.
   *
   * @param factor how many times the capacity of the layer before it a layer has
   * @throws io.github.bloomgate.model.error.BloomException INVALID_REQUEST if the scheme cannot
   *     grow; LIMIT_EXCEEDED if neither it nor any filter can hold {@code growsTo} elements
   */
  public static SizingResult grown(HashScheme scheme, long n, double p, int factor, long growsTo) {
    var growth = new Growth(factor, Growth.MAX_SIZE_BYTES);
    var parameters = growth.parameters(scheme, n, p);
    var plan = growth.planFor(parameters, growsTo);
    var none =
        plan.layers().stream()
            .mapToDouble(layer -> Math.log1p(-rate(layer.expectedInsertions(), layer.shape())))
            .sum();
    return compared(plan, growsTo, -Math.expm1(none));
  }

  private static SizingResult compared(FilterPlan plan, long elements, double rate) {
    var parameters = plan.parameters();
    return new SizingResult(
        plan,
        elements,
        rate,
        Shapes.shapeFor(parameters.hashScheme(), elements, parameters.falsePositiveProbability()));
  }

  private static double rate(long elements, FilterShape shape) {
    return Sizing.meanFalsePositiveProbability(elements, shape.bitSize(), shape.numHashFunctions());
  }
}
