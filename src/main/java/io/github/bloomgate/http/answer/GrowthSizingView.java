package io.github.bloomgate.http.answer;

import io.github.bloomgate.filters.GrowthSizing;

/** The size of a growing filter compared with a fixed one. */
public record GrowthSizingView(
    int growthFactor, long growsTo, int layers, long fixedSizeBytes, double timesFixedSize) {

  static GrowthSizingView of(GrowthSizing sizing) {
    var fixed = sizing.fixed().sizeBytes();
    return new GrowthSizingView(
        sizing.factor(),
        sizing.growsTo(),
        sizing.layers().size(),
        fixed,
        (double) sizing.sizeBytes() / fixed);
  }
}
