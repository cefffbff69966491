package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.bloomgate.filters.SizingAnswer;

/** Parameters that fit together, and their cost. */
public record SizingView(
    String hashScheme,
    String schemeWarning,
    @JsonUnwrapped ShapeView shape,
    double bitsPerElement,
    @JsonInclude(JsonInclude.Include.NON_NULL) Growth growth,
    @JsonInclude(JsonInclude.Include.NON_NULL) InWindow window,
    @JsonInclude(JsonInclude.Include.NON_NULL) Counting counting) {

  public static SizingView of(SizingAnswer size) {
    var plan = size.plan();
    var parameters = plan.parameters();
    var fixed = size.plain().sizeBytes();
    var timesFixed = (double) plan.sizeBytes() / fixed;
    return new SizingView(
        parameters.hashScheme().id(),
        parameters.schemeWarning().orElse(null),
        ShapeView.of(plan, size.falsePositiveProbability()),
        (double) plan.bitSize() / size.elements(),
        parameters
            .growth()
            .map(
                growth ->
                    new Growth(
                        growth.factor(), size.elements(), plan.layers().size(), fixed, timesFixed))
            .orElse(null),
        parameters
            .window()
            .map(
                window ->
                    new InWindow(
                        WindowView.of(window, plan.segments()),
                        window.slices(),
                        window.rings(),
                        fixed,
                        timesFixed))
            .orElse(null),
        parameters.counting()
            ? new Counting(parameters.places(parameters.shape()).bitSize(), fixed, timesFixed)
            : null);
  }

  public record Growth(
      int growthFactor, long growsTo, int layers, long fixedSizeBytes, double timesFixedSize) {}

  public record InWindow(
      WindowView remembered, int slices, int rings, long fixedSizeBytes, double timesFixedSize) {}

  public record Counting(long counters, long fixedSizeBytes, double timesFixedSize) {}
}
