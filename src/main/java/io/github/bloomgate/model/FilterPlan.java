package io.github.bloomgate.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The parameters and layers of a generation.
 *
 * @param parameters its parameters, which define the first layer
 * @param layers at least one; usually one
 */
public record FilterPlan(FilterParameters parameters, List<Layer> layers) {

  public FilterPlan {
    layers = List.copyOf(layers);
  }

  /** A generation of one layer, not opened yet. */
  public static FilterPlan of(FilterParameters parameters) {
    return new FilterPlan(parameters, List.of(Growth.first(parameters)));
  }

  /** The parameters and layers of a filter, for a generation to create. */
  public static FilterPlan like(Filter filter) {
    return new FilterPlan(filter.parameters(), filter.layers()).openedAt(Optional.empty());
  }

  /** The same layers with other parameters; the shape of the first layer must not change. */
  public FilterPlan withParameters(FilterParameters others) {
    return new FilterPlan(others, layers);
  }

  /** The same with all layers opened at a moment, or only planned. */
  public FilterPlan openedAt(Optional<Instant> moment) {
    return new FilterPlan(
        parameters, layers.stream().map(layer -> layer.openedAt(moment)).toList());
  }

  /** The layer of a segment, by its index in all layers. */
  public Layer layerOf(int segment) {
    return layers.stream().filter(layer -> segment < layer.endSegment()).findFirst().orElseThrow();
  }

  /** The bits of all layers. */
  public long bitSize() {
    return layers.stream().mapToLong(layer -> layer.shape().bitSize()).sum();
  }

  /** The segments of all layers. */
  public int segments() {
    return layers.get(layers.size() - 1).endSegment();
  }
}
