package io.github.bloomgate.http.answer;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.Filter;

/** The size of a filter, of its next generation, or of a layer. */
public record ShapeView(
    long expectedInsertions,
    double falsePositiveProbability,
    long bitSize,
    int numHashFunctions,
    int segments,
    long sizeBytes) {

  static ShapeView of(Filter filter) {
    var parameters = filter.parameters();
    return new ShapeView(
        parameters.expectedInsertions(),
        parameters.falsePositiveProbability(),
        filter.bitSize(),
        filter.shape().numHashFunctions(),
        filter.segments(),
        filter.sizeBytes());
  }

  static ShapeView of(long expectedInsertions, double falsePositiveProbability, FilterShape shape) {
    return new ShapeView(
        expectedInsertions,
        falsePositiveProbability,
        shape.bitSize(),
        shape.numHashFunctions(),
        shape.segments(),
        shape.sizeBytes());
  }
}
