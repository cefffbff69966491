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
    @JsonInclude(JsonInclude.Include.NON_NULL) Growth growth,
    @JsonInclude(JsonInclude.Include.NON_NULL) InWindow window,
    @JsonInclude(JsonInclude.Include.NON_NULL) Counting counting) {

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
        Growth.of(sizing),
        null,
        null);
  }

  public static SizingView of(WindowSizing sizing) {
    return of(sizing.parameters(), sizing.falsePositiveProbability(), InWindow.of(sizing), null);
  }

  public static SizingView of(CountingSizing sizing) {
    return of(sizing.parameters(), sizing.falsePositiveProbability(), null, Counting.of(sizing));
  }

  private static SizingView of(
      FilterParameters parameters,
      double falsePositiveProbability,
      InWindow window,
      Counting counting) {
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

  public record Growth(
      int growthFactor, long growsTo, int layers, long fixedSizeBytes, double timesFixedSize) {

    static Growth of(GrowthSizing sizing) {
      var fixed = sizing.fixed().sizeBytes();
      return new Growth(
          sizing.factor(),
          sizing.growsTo(),
          sizing.layers().size(),
          fixed,
          (double) sizing.sizeBytes() / fixed);
    }
  }

  public record InWindow(
      WindowView remembered, int slices, int rings, long fixedSizeBytes, double timesFixedSize) {

    static InWindow of(WindowSizing sizing) {
      var window = sizing.window();
      var shape = sizing.parameters().shape();
      var fixed = sizing.fixed().sizeBytes();
      return new InWindow(
          WindowView.of(window, shape.segments()),
          window.slices(),
          window.rings(),
          fixed,
          (double) shape.sizeBytes() / fixed);
    }
  }

  public record Counting(long counters, long fixedSizeBytes, double timesFixedSize) {

    static Counting of(CountingSizing sizing) {
      var fixed = sizing.fixed().sizeBytes();
      return new Counting(
          sizing.counters(), fixed, (double) sizing.parameters().shape().sizeBytes() / fixed);
    }
  }
}
