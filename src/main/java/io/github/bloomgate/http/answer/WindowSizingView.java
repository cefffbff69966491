package io.github.bloomgate.http.answer;

import io.github.bloomgate.filters.WindowSizing;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** For how long a filter remembers, beside what one would take that never forgets. */
@Schema(
    name = "WindowSizing",
    description =
        "For how long the filter remembers, and what one would take that never forgets, for as many"
            + " elements as come within a window",
    requiredProperties = {"remembered", "slices", "rings", "fixedSizeBytes", "timesFixedSize"})
public record WindowSizingView(
    @Schema(description = "The window; the error of the age is at most one slice")
        WindowView remembered,
    @Schema(description = "Into how many slices the window is cut") int slices,
    @Schema(
            description =
                "Bitmaps that a test looks at, in one segment. By insertions one for each slice and"
                    + " one more; by time more, so that the rate holds however elements arrive")
        int rings,
    @Schema(
            description =
                "Bytes the bitmaps of a filter without a window would take for the same"
                    + " `expectedInsertions` and rate")
        long fixedSizeBytes,
    @Schema(description = "`sizeBytes` / `fixedSizeBytes`") double timesFixedSize) {

  static WindowSizingView of(WindowSizing sizing) {
    var window = sizing.window();
    var shape = sizing.parameters().shape();
    var fixed = sizing.fixed().sizeBytes();
    return new WindowSizingView(
        WindowView.of(window, shape.segments()),
        window.slices(),
        window.rings(),
        fixed,
        (double) shape.sizeBytes() / fixed);
  }
}
