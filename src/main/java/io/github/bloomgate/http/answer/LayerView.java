package io.github.bloomgate.http.answer;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.Layer;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** One layer of a filter that grows. */
@Schema(
    name = "Layer",
    description = "One layer of a filter that grows",
    requiredProperties = {
      "expectedInsertions",
      "falsePositiveProbability",
      "bitSize",
      "numHashFunctions",
      "segments",
      "sizeBytes",
      "insertions",
      "bitsSet",
      "openedAt"
    })
public record LayerView(
    @Schema(description = "n: how many elements it takes before the next one opens")
        long expectedInsertions,
    @Schema(description = "p: its share of the rate that the filter promises")
        double falsePositiveProbability,
    @Schema(description = "m: bits of its segments") long bitSize,
    @Schema(description = "k: bits an element sets in it") int numHashFunctions,
    @Schema(description = "How many bitmaps it consists of") int segments,
    @Schema(description = "Bytes its bitmaps take in Redis") long sizeBytes,
    @Schema(description = "Adds that changed a bit, exact; see `insertions` of the filter")
        long insertions,
    @Schema(description = "Bits that are 1, exact") long bitsSet,
    @Schema(description = "Since when it takes elements") Instant openedAt) {

  static List<LayerView> of(Filter filter, List<FilterStatistics> statistics) {
    return IntStream.range(0, statistics.size())
        .mapToObj(i -> of(filter.layers().get(i), statistics.get(i), filter.createdAt()))
        .toList();
  }

  private static LayerView of(Layer layer, FilterStatistics statistics, Instant createdAt) {
    var shape = layer.shape();
    return new LayerView(
        layer.expectedInsertions(),
        layer.falsePositiveProbability(),
        shape.bitSize(),
        shape.numHashFunctions(),
        shape.segments(),
        shape.sizeBytes(),
        statistics.insertions(),
        statistics.bitsSet(),
        layer.openedAt().orElse(createdAt));
  }
}
