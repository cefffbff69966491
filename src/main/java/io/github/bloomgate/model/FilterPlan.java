package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The plan of a generation to create.
 *
 * @param parameters its parameters, which define the first layer
 * @param later further initial layers, not opened yet; usually none
 */
public record FilterPlan(FilterParameters parameters, List<Layer> later) {

  public FilterPlan {
    later = List.copyOf(later);
  }

  public static FilterPlan of(FilterParameters parameters) {
    return new FilterPlan(parameters, List.of());
  }

  /** The parameters and layers of a filter. */
  public static FilterPlan like(Filter filter) {
    return new FilterPlan(
        filter.parameters(),
        filter.layers().stream().skip(1).map(layer -> layer.openedAt(Optional.empty())).toList());
  }

  /** The same layers with other parameters; the shape of the first layer must not change. */
  public FilterPlan withParameters(FilterParameters others) {
    return new FilterPlan(others, later);
  }

  public List<Layer> layers() {
    return Stream.concat(Stream.of(Growth.first(parameters, Optional.empty())), later.stream())
        .toList();
  }

  /** The shape of the layer of a segment, by its index in all layers. */
  public FilterShape shapeOf(int segment) {
    return Layer.of(layers(), segment).shape();
  }

  /** The segments of all layers. */
  public int segments() {
    return later.isEmpty()
        ? parameters.shape().segments()
        : later.get(later.size() - 1).endSegment();
  }
}
