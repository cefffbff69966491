package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a generation that is to be made is like.
 *
 * @param parameters its parameters, which say what its first layer is like
 * @param later the layers behind the first that it has from the beginning, not opened yet; most
 *     have none
 */
public record FilterPlan(FilterParameters parameters, List<Layer> later) {

  /** Has the layers not changed by others. */
  public FilterPlan {
    later = List.copyOf(later);
  }

  /** One layer. */
  public static FilterPlan of(FilterParameters parameters) {
    return new FilterPlan(parameters, List.of());
  }

  /** The parameters and the layers that a filter has. */
  public static FilterPlan like(Filter filter) {
    return new FilterPlan(
        filter.parameters(),
        filter.layers().stream().skip(1).map(layer -> layer.openedAt(Optional.empty())).toList());
  }

  /** The same layers with other parameters, of which the first layer has the same shape. */
  public FilterPlan withParameters(FilterParameters others) {
    return new FilterPlan(others, later);
  }

  /** All layers, not opened yet. */
  public List<Layer> layers() {
    return Stream.concat(Stream.of(Growth.first(parameters, Optional.empty())), later.stream())
        .toList();
  }

  /** Bits and hash functions of a segment, by its index among those of all layers. */
  public FilterShape shapeOf(int segment) {
    return layers().stream()
        .filter(layer -> segment < layer.endSegment())
        .findFirst()
        .orElseThrow()
        .shape();
  }

  /** How many segments all layers have. */
  public int segments() {
    return later.isEmpty()
        ? parameters.shape().segments()
        : later.get(later.size() - 1).endSegment();
  }
}
