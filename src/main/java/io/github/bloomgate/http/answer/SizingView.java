package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.bloomgate.filters.CountingSizing;
import io.github.bloomgate.filters.GrowthSizing;
import io.github.bloomgate.filters.SizingAnswer;
import io.github.bloomgate.filters.WindowSizing;
import io.github.bloomgate.model.FilterParameters;

/** Parameters that fit together, and their cost. */
public record SizingView(
    String hashScheme,
    String schemeWarning,
    @JsonUnwrapped ShapeView shape,
    double bitsPerElement,
    @JsonInclude(JsonInclude.Include.NON_NULL) GrowthSizingView growth,
    @JsonInclude(JsonInclude.Include.NON_NULL) WindowSizingView window,
    @JsonInclude(JsonInclude.Include.NON_NULL) CountingSizingView counting) {

  public static SizingView of(SizingAnswer answer) {
    var n = answer.expectedInsertions();
    return new SizingView(
        answer.scheme().id(),
        answer.schemeWarning().orElse(null),
        ShapeView.of(n, answer.falsePositiveProbability(), answer.shape()),
        (double) answer.shape().bitSize() / n,
        null,
        null,
        null);
  }

  /** Describes a filter that has grown. */
  public static SizingView of(GrowthSizing sizing) {
    var parameters = sizing.parameters();
    return new SizingView(
        parameters.hashScheme().id(),
        parameters.schemeWarning().orElse(null),
        new ShapeView(
            parameters.expectedInsertions(),
            sizing.falsePositiveProbability(),
            sizing.bitSize(),
            parameters.shape().numHashFunctions(),
            sizing.segments(),
            sizing.sizeBytes()),
        (double) sizing.bitSize() / sizing.growsTo(),
        GrowthSizingView.of(sizing),
        null,
        null);
  }

  /** Describes a filter with a window. */
  public static SizingView of(WindowSizing sizing) {
    return of(
        sizing.parameters(), sizing.falsePositiveProbability(), WindowSizingView.of(sizing), null);
  }

  /** Describes a filter that counts. */
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
    var n = parameters.expectedInsertions();
    return new SizingView(
        parameters.hashScheme().id(),
        parameters.schemeWarning().orElse(null),
        ShapeView.of(n, falsePositiveProbability, parameters.shape()),
        (double) parameters.shape().bitSize() / n,
        null,
        window,
        counting);
  }
}
