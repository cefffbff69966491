package io.github.bloomgate.elements;

import io.github.bloomgate.filters.GenerationView;
import io.github.bloomgate.filters.LayerView;
import java.util.ArrayList;
import java.util.List;

/** The turns of the segments of one layer of one version of a generation, in a round. */
final class LayerTurns {

  private final GenerationView generation;
  private final LayerView layer;

  /** In the order of their first elements. */
  private final List<Turn> turns = new ArrayList<>();

  /** By the index of the segment in the layer; null without a turn. */
  private final Turn[] ofSegments;

  LayerTurns(GenerationView generation, LayerView layer) {
    this.generation = generation;
    this.layer = layer;
    this.ofSegments = new Turn[layer.places().segments()];
  }

  GenerationView generation() {
    return generation;
  }

  LayerView layer() {
    return layer;
  }

  List<Turn> turns() {
    return turns;
  }

  /** The turn of a segment, or null. */
  Turn of(int segment) {
    return ofSegments[segment];
  }

  void add(int segment, Turn turn) {
    ofSegments[segment] = turn;
    turns.add(turn);
  }
}
