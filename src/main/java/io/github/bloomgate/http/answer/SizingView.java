package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.filters.CountingSizing;
import io.github.bloomgate.filters.GrowthSizing;
import io.github.bloomgate.filters.SizingAnswer;
import io.github.bloomgate.filters.WindowSizing;
import io.github.bloomgate.model.FilterParameters;

/** Parameters that fit together, and what they cost. */
public record SizingView(
    String hashScheme,
    String schemeWarning,
    long expectedInsertions,
    double falsePositiveProbability,
    long bitSize,
    int numHashFunctions,
    int segments,
    long sizeBytes,
    double bitsPerElement,
    @JsonInclude(JsonInclude.Include.NON_NULL) GrowthSizingView growth,
    @JsonInclude(JsonInclude.Include.NON_NULL) WindowSizingView window,
    @JsonInclude(JsonInclude.Include.NON_NULL) CountingSizingView counting) {

  public static SizingView of(SizingAnswer answer) {
    var shape = answer.shape();
    return new SizingView(
        answer.scheme().id(),
        answer.schemeWarning().orElse(null),
        answer.expectedInsertions(),
        answer.falsePositiveProbability(),
        shape.bitSize(),
        shape.numHashFunctions(),
        shape.segments(),
        shape.sizeBytes(),
        (double) shape.bitSize() / answer.expectedInsertions(),
        null,
        null,
        null);
  }

  /** Of a filter that has grown. */
  public static SizingView of(GrowthSizing sizing) {
    var parameters = sizing.parameters();
    return new SizingView(
        parameters.hashScheme().id(),
        parameters.schemeWarning().orElse(null),
        parameters.expectedInsertions(),
        sizing.falsePositiveProbability(),
        sizing.bitSize(),
        parameters.shape().numHashFunctions(),
        sizing.segments(),
        sizing.sizeBytes(),
        (double) sizing.bitSize() / sizing.growsTo(),
        GrowthSizingView.of(sizing),
        null,
        null);
  }

  /** Of a filter with a window. */
  public static SizingView of(WindowSizing sizing) {
    return of(
        sizing.parameters(), sizing.falsePositiveProbability(), WindowSizingView.of(sizing), null);
  }

  /** Of a filter that counts. */
  public static SizingView of(CountingSizing sizing) {
    return of(
        sizing.parameters(),
        sizing.falsePositiveProbability(),
        null,
        CountingSizingView.of(sizing));
  }

  private static SizingView of(
      FilterParameters parameters,
      double falsePositiveProbability,
      WindowSizingView window,
      CountingSizingView counting) {
    var shape = parameters.shape();
    return new SizingView(
        parameters.hashScheme().id(),
        parameters.schemeWarning().orElse(null),
        parameters.expectedInsertions(),
        falsePositiveProbability,
        shape.bitSize(),
        shape.numHashFunctions(),
        shape.segments(),
        shape.sizeBytes(),
        (double) shape.bitSize() / parameters.expectedInsertions(),
        null,
        window,
        counting);
  }
}
