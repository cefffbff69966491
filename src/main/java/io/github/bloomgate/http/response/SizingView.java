package io.github.bloomgate.http.response;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.bloomgate.filters.SizingResult;
import io.github.bloomgate.model.Counting;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Window;

/** Parameters that fit together, and their cost. */
public record SizingView(
    String hashScheme,
    String schemeWarning,
    @JsonUnwrapped ShapeView shape,
    double bitsPerElement,
    @JsonInclude(JsonInclude.Include.NON_NULL) GrowthFields growth,
    @JsonInclude(JsonInclude.Include.NON_NULL) InWindow window,
    @JsonInclude(JsonInclude.Include.NON_NULL) CountingFields counting) {

  public static SizingView of(SizingResult size) {
    var plan = size.plan();
    var parameters = plan.parameters();
    var fixed = size.plain().sizeBytes();
    var timesFixed = (double) plan.sizeBytes() / fixed;
    return new SizingView(
        parameters.hashScheme().id(),
        parameters.schemeWarning().orElse(null),
        ShapeView.of(plan, size.falsePositiveProbability()),
        (double) plan.bitSize() / size.elements(),
        parameters.kind() instanceof Growth growth
            ? new GrowthFields(
                growth.factor(), size.elements(), plan.layers().size(), fixed, timesFixed)
            : null,
        parameters.kind() instanceof Window window
            ? new InWindow(
                WindowView.of(window, plan.segments()),
                window.slices(),
                window.rings(),
                fixed,
                timesFixed)
            : null,
        parameters.kind() instanceof Counting
            ? new CountingFields(parameters.places().bitSize(), fixed, timesFixed)
            : null);
  }

  public record GrowthFields(
      int growthFactor, long growsTo, int layers, long fixedSizeBytes, double timesFixedSize) {}

  public record InWindow(
      WindowView remembered, int slices, int rings, long fixedSizeBytes, double timesFixedSize) {}

  public record CountingFields(long counters, long fixedSizeBytes, double timesFixedSize) {}
}
