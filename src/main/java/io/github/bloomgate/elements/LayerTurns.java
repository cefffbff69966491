package io.github.bloomgate.elements;

import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.model.Layer;
import java.util.ArrayList;
import java.util.List;

/**
 * The turns of the segments of one layer of one version of a generation, in a round.
 *
 * @param turns in the order of their first elements
 * @param ofSegments by the index of the segment in the layer; null without a turn
 */
record LayerTurns(Generation generation, Layer layer, List<Turn> turns, Turn[] ofSegments) {

  LayerTurns(Generation generation, Layer layer) {
    this(generation, layer, new ArrayList<>(), new Turn[layer.places().segments()]);
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
