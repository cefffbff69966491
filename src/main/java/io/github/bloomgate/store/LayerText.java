package io.github.bloomgate.store;

import static io.github.bloomgate.store.FilterState.required;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.Layer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A layer behind the first as a field of the state: its first segment, how many it has, bits of
 * each, hash functions, n, p, and when it was opened, divided by spaces. While it is planned the
 * last is missing.
 */
final class LayerText {

  private static final int FIELDS = 6;

  private LayerText() {}

  /** The text of a layer. */
  static String of(Layer layer) {
    var shape = layer.shape();
    var text =
        "%d %d %d %d %d %s"
            .formatted(
                layer.firstSegment(),
                shape.segments(),
                shape.segmentBits(),
                shape.numHashFunctions(),
                layer.expectedInsertions(),
                layer.falsePositiveProbability());
    return layer.openedAt().map(at -> text + " " + at.toEpochMilli()).orElse(text);
  }

  /** Reads a layer, or fails with IllegalArgumentException. */
  static Layer read(String text) {
    var parts = text.split(" ", -1);
    if (parts.length != FIELDS && parts.length != FIELDS + 1) {
      throw new IllegalArgumentException("layer");
    }
    return new Layer(
        Integer.parseInt(parts[0]),
        Long.parseLong(parts[4]),
        Double.parseDouble(parts[5]),
        new FilterShape(
            Integer.parseInt(parts[1]), Long.parseLong(parts[2]), Integer.parseInt(parts[3])),
        parts.length == FIELDS
            ? Optional.empty()
            : Optional.of(Instant.ofEpochMilli(Long.parseLong(parts[FIELDS]))));
  }

  /** Reads the layers behind the first that take elements. */
  static List<Layer> readLater(Map<String, String> fields) {
    var count = Integer.parseInt(required(fields, "layers"));
    var later = new ArrayList<Layer>();
    for (var i = 1; i < count; i++) {
      later.add(read(required(fields, FilterState.layerField(i))));
    }
    return later;
  }

  /** The filter with the layers that its state has; they must follow each other without a gap. */
  static Filter withLayers(
      Filter filter, List<Layer> later, Map<String, String> fields, int segments) {
    var planned =
        Optional.ofNullable(fields.get(FilterState.layerField(later.size() + 1)))
            .map(LayerText::read);
    var all = new ArrayList<>(filter.layers());
    all.addAll(later);
    var next = 0;
    for (var layer : all) {
      if (layer.firstSegment() != next) {
        throw new IllegalArgumentException("layers");
      }
      next = layer.endSegment();
    }
    if (next != segments || planned.filter(layer -> layer.firstSegment() != segments).isPresent()) {
      throw new IllegalArgumentException("layers");
    }
    return filter.withLayers(all, planned);
  }
}
