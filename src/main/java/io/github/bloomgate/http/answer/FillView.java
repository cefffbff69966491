package io.github.bloomgate.http.answer;

import io.github.bloomgate.model.FilterStatistics;
import java.util.OptionalLong;

/** The content of a filter, or of its next generation, in numbers. */
public record FillView(
    long insertions,
    long bitsSet,
    double fillRatio,
    OptionalLong approximateElementCount,
    double estimatedFalsePositiveProbability) {

  static FillView of(FilterStatistics statistics) {
    return new FillView(
        statistics.insertions(),
        statistics.bitsSet(),
        statistics.fillRatio(),
        statistics.approximateElementCount(),
        statistics.estimatedFalsePositiveProbability());
  }
}
