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

  /** Whether the generation has other layers. */
  boolean isOfLayers() {
    return generation.layers().size() > 1;
  }

  /** Divides it into parts that fit into a call; a part with one segment is never too large. */
  List<LayerTurns> divide() {
    if (mostBytes() <= SegmentCall.MOST_BYTES) {
      return turns.isEmpty() ? List.of() : List.of(this);
    }
    var parts = new ArrayList<LayerTurns>();
    LayerTurns part = null;
    for (var turn : turns) {
      if (part == null || part.mostBytes() + turn.mostBytes() > SegmentCall.MOST_BYTES) {
        part = new LayerTurns(generation, layer, new ArrayList<>(), ofSegments);
        parts.add(part);
      }
      part.turns.add(turn);
    }
    return parts;
  }

  /** The most bytes of the blocks. */
  int mostBytes() {
    var bytes = 0;
    for (var turn : turns) {
      bytes += turn.mostBytes();
    }
    return bytes;
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
