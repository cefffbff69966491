package io.github.bloomgate.http.response;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.model.FilterPlan;

/** The size of a filter, of its next generation, or of a layer. */
public record ShapeView(
    long expectedInsertions,
    double falsePositiveProbability,
    long bitSize,
    int numHashFunctions,
    int segments,
    long sizeBytes) {

  static ShapeView of(FilterPlan plan, double falsePositiveProbability) {
    var parameters = plan.parameters();
    return new ShapeView(
        parameters.expectedInsertions(),
        falsePositiveProbability,
        plan.bitSize(),
        parameters.shape().numHashFunctions(),
        plan.segments(),
        plan.sizeBytes());
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
