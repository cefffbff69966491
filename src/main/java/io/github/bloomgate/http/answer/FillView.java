package io.github.bloomgate.http.answer;

import io.github.bloomgate.model.FilterStatistics;

/** The content of a filter, or of its next generation, in numbers. */
public record FillView(
    long insertions,
    long bitsSet,
    double fillRatio,
    Long approximateElementCount,
    double estimatedFalsePositiveProbability) {

  static FillView of(FilterStatistics statistics) {
    var elements = statistics.approximateElementCount();
    return new FillView(
        statistics.insertions(),
        statistics.bitsSet(),
        statistics.fillRatio(),
        elements.isPresent() ? (Long) elements.getAsLong() : null,
        statistics.estimatedFalsePositiveProbability());
  }
}
