package io.github.bloomgate.http.answer;

import io.github.bloomgate.filters.WindowSizing;

/** The size of a filter with a window compared with a plain one. */
public record WindowSizingView(
    WindowView remembered, int slices, int rings, long fixedSizeBytes, double timesFixedSize) {

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
