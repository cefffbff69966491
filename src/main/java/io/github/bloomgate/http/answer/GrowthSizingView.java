package io.github.bloomgate.http.answer;

import io.github.bloomgate.filters.GrowthSizing;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** How a filter grows, beside what a fixed one would take. */
@Schema(
    name = "GrowthSizing",
    description =
        "How the filter grows, and what one would take that was made for as many elements",
    requiredProperties = {"growthFactor", "growsTo", "layers", "fixedSizeBytes", "timesFixedSize"})
public record GrowthSizingView(
    @Schema(description = "How many times as many elements each layer is made for")
        int growthFactor,
    @Schema(description = "How many elements it holds then") long growsTo,
    @Schema(description = "How many layers it has then") int layers,
    @Schema(
            description =
                "Bytes the bitmaps of a filter would take that was made for `growsTo` elements")
        long fixedSizeBytes,
    @Schema(description = "`sizeBytes` / `fixedSizeBytes`") double timesFixedSize) {

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
