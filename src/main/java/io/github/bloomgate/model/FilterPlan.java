package io.github.bloomgate.model;

import io.github.bloomgate.hash.HashScheme;
import java.time.Instant;
import java.util.ArrayList;
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
    return new FilterPlan(parameters, List.of(parameters.firstLayer()));
  }

  /** The same layers with another hash scheme, which computes the same shapes. */
  public FilterPlan withHashScheme(HashScheme scheme) {
    return new FilterPlan(parameters.withHashScheme(scheme), layers);
  }

  /** The same with all layers opened at a moment, or only planned. */
  public FilterPlan openedAt(Optional<Instant> moment) {
    return new FilterPlan(
        parameters, layers.stream().map(layer -> layer.openedAt(moment)).toList());
  }

  /** The next layer; empty if the filter cannot grow further. */
  public Optional<Layer> nextLayer() {
    return parameters.kind().nextLayer(this);
  }

  /** The same with another layer. */
  public FilterPlan with(Layer next) {
    var all = new ArrayList<>(layers);
    all.add(next);
    return new FilterPlan(parameters, all);
  }

  /** The layer of a segment, by its index in all layers; the last one for all beyond. */
  public Layer layerOf(int segment) {
    return layers.stream()
        .filter(layer -> segment < layer.endSegment())
        .findFirst()
        .orElseGet(() -> layers.get(layers.size() - 1));
  }

  /** The expected insertions of all layers. */
  public long expectedInsertions() {
    return layers.stream().mapToLong(Layer::expectedInsertions).sum();
  }

  /** The bits of all layers. */
  public long bitSize() {
    return layers.stream().mapToLong(layer -> layer.shape().bitSize()).sum();
  }

  /** The bytes of the bitmaps of all layers. */
  public long sizeBytes() {
    return layers.stream().mapToLong(layer -> layer.shape().sizeBytes()).sum();
  }

  /** The segments of all layers. */
  public int segments() {
    return layers.get(layers.size() - 1).endSegment();
  }
}
