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
 * What a filter takes that has grown, and what one would take that was made for as many elements.
 *
 * @param parameters of the filter that grows
 * @param factor by which each layer is made for more elements than the one before
 * @param growsTo how many elements it holds
 * @param layers the layers it has then
 * @param fixed the shape of a filter made for them, with the same rate
 */
public record GrowthSizing(
    FilterParameters parameters, int factor, long growsTo, List<Layer> layers, FilterShape fixed) {

  /**
   * Sizes a filter that starts with n elements.
   *
   * @throws BloomException INVALID_REQUEST if the scheme cannot grow; LIMIT_EXCEEDED if it cannot
   *     hold so many elements, or no filter can
   */
  public static GrowthSizing of(HashScheme scheme, long n, double p, int factor, long growsTo) {
    var growth = new Growth(factor, Growth.MAX_SIZE_BYTES);
    var parameters = FilterParameters.growing(scheme, n, p, growth);
    return new GrowthSizing(
        parameters,
        factor,
        growsTo,
        growth.layersFor(parameters, growsTo),
        Shapes.shapeFor(scheme, growsTo, p));
  }

  /** Bits of all layers. */
  public long bitSize() {
    return layers.stream().mapToLong(layer -> layer.shape().bitSize()).sum();
  }

  /** Bytes of all layers. */
  public long sizeBytes() {
    return layers.stream().mapToLong(layer -> layer.shape().sizeBytes()).sum();
  }

  /** Segments of all layers. */
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
