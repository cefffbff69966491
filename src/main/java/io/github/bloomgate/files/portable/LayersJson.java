package io.github.bloomgate.files.portable;

import com.fasterxml.jackson.core.JsonGenerator;
import io.github.bloomgate.files.portable.HeaderJson.BadHeader;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.WhenFull;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The header fields for growth and layers. */
final class LayersJson {

  /** The fields used instead of the shape's. */
  static final List<String> FIELDS = List.of("growthFactor", "maxSizeBytes", "layers");

  private static final List<String> OF_LAYER =
      List.of(
          "expectedInsertions",
          "falsePositiveProbability",
          "segments",
          "segmentBits",
          "numHashFunctions");

  private LayersJson() {}

  static void write(JsonGenerator json, FilterPlan plan) throws IOException {
    var growth = plan.parameters().growth().orElseThrow();
    json.writeNumberField("growthFactor", growth.factor());
    json.writeNumberField("maxSizeBytes", growth.maxSizeBytes());
    json.writeArrayFieldStart("layers");
    for (var layer : plan.layers()) {
      json.writeStartObject();
      json.writeNumberField("expectedInsertions", layer.expectedInsertions());
      json.writeNumberField("falsePositiveProbability", layer.falsePositiveProbability());
      writeShape(json, layer.shape());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  static void writeShape(JsonGenerator json, FilterShape shape) throws IOException {
    json.writeNumberField("segments", shape.segments());
    json.writeNumberField("segmentBits", shape.segmentBits());
    json.writeNumberField("numHashFunctions", shape.numHashFunctions());
  }

  /** Reads the plan; its layers must be consecutive and within its limits. */
  static FilterPlan read(HeaderFields header, HashScheme scheme) throws BadHeader {
    if (!scheme.canGrow()) {
      throw new BadHeader("has layers, but its hash scheme does not support them");
    }
    var n = header.integer("expectedInsertions", FilterParameters.MAX_EXPECTED_INSERTIONS);
    var p = header.probability("falsePositiveProbability");
    var growth =
        new Growth(
            (int) header.integer("growthFactor", Growth.MAX_FACTOR),
            header.integer("maxSizeBytes", Growth.MAX_SIZE_BYTES));
    var layers = layers(header, scheme);
    var bytes = layers.stream().mapToLong(layer -> layer.shape().sizeBytes()).sum();
    var rates = layers.stream().mapToDouble(Layer::falsePositiveProbability).sum();
    if (bytes > growth.maxSizeBytes() || rates > p) {
      throw new BadHeader("has layers beyond its maxSizeBytes or its falsePositiveProbability");
    }
    var plan =
        new FilterPlan(
            new FilterParameters(
                scheme, n, p, layers.get(0).shape(), WhenFull.GROW, Optional.of(growth)),
            layers.subList(1, layers.size()));
    if (!plan.layers().equals(layers)) {
      throw new BadHeader("has a first layer that does not match its parameters");
    }
    return plan;
  }

  private static List<Layer> layers(HeaderFields header, HashScheme scheme) throws BadHeader {
    var given = header.values().get("layers");
    if (!given.isArray() || given.isEmpty() || given.size() > Growth.MAX_LAYERS) {
      throw HeaderFields.wrong("layers");
    }
    var layers = new ArrayList<Layer>();
    var firstSegment = 0;
    for (var one : given) {
      var fields = HeaderFields.of(one, OF_LAYER, List.of());
      var layer =
          new Layer(
              firstSegment,
              fields.integer("expectedInsertions", FilterParameters.MAX_EXPECTED_INSERTIONS),
              fields.probability("falsePositiveProbability"),
              fields.shape(scheme),
              Optional.empty());
      layers.add(layer);
      firstSegment = layer.endSegment();
    }
    return layers;
  }
}
