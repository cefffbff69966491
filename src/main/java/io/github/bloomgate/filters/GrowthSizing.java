package io.github.bloomgate.filters;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.Shapes;
import io.github.bloomgate.model.error.BloomException;
import java.util.List;

/**
 * The size of a grown filter compared with one that was created for the same number of elements.
 *
 * @param parameters of the growing filter
 * @param factor how many times the capacity of the layer before it a layer has
 * @param growsTo the number of elements
 * @param layers the layers at that number
 * @param fixed the shape of a filter of one layer for them, with the same rate
 */
public record GrowthSizing(
    FilterParameters parameters, int factor, long growsTo, List<Layer> layers, FilterShape fixed) {

  /**
   * Sizes a filter that starts with n elements.
   *
   * @throws BloomException INVALID_REQUEST if the scheme cannot grow; LIMIT_EXCEEDED if neither it
   *     nor any filter can hold {@code growsTo} elements
   */
  public static GrowthSizing of(HashScheme scheme, long n, double p, int factor, long growsTo) {
    var growth = new Growth(factor, Growth.MAX_SIZE_BYTES);
    var parameters = growth.parameters(scheme, n, p);
    return new GrowthSizing(
        parameters,
        factor,
        growsTo,
        growth.layersFor(parameters, growsTo),
        Shapes.shapeFor(scheme, growsTo, p));
  }

  public long bitSize() {
    return layers.stream().mapToLong(layer -> layer.shape().bitSize()).sum();
  }

  public long sizeBytes() {
    return layers.stream().mapToLong(layer -> layer.shape().sizeBytes()).sum();
  }

  public int segments() {
    return layers.get(layers.size() - 1).endSegment();
  }

  /** The rate of an ideal hash when all layers are full, after rounding. */
  public double falsePositiveProbability() {
    return -Math.expm1(
        layers.stream()
            .mapToDouble(
                layer ->
                    Math.log1p(
                        -Sizing.meanFalsePositiveProbability(
                            layer.expectedInsertions(),
                            layer.shape().bitSize(),
                            layer.shape().numHashFunctions())))
            .sum());
  }
}
