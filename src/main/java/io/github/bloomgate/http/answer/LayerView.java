package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.Layer;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** One layer of a growing filter. */
public record LayerView(
    @JsonUnwrapped ShapeView shape, long insertions, long bitsSet, Instant openedAt) {

  static List<LayerView> of(Filter filter, List<FilterStatistics> statistics) {
    return IntStream.range(0, statistics.size())
        .mapToObj(i -> of(filter.layers().get(i), statistics.get(i), filter.createdAt()))
        .toList();
  }

  private static LayerView of(Layer layer, FilterStatistics statistics, Instant createdAt) {
    return new LayerView(
        ShapeView.of(layer.expectedInsertions(), layer.falsePositiveProbability(), layer.shape()),
        statistics.insertions(),
        statistics.bitsSet(),
        layer.openedAt().orElse(createdAt));
  }
}
