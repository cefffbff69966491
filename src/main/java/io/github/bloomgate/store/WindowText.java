package io.github.bloomgate.store;

import io.github.bloomgate.model.Window;

/**
 * A window as the field {@code window} of a segment's state has it: slices, 1 if it refreshes,
 * seconds, milliseconds of a slice, insertions, insertions of a slice. {@code lua/window.lua} reads
 * it too.
 */
final class WindowText {

  /** The field. */
  static final String FIELD = "window";

  private static final int FIELDS = 6;

  private WindowText() {}

  static String of(Window window) {
    return "%d %d %d %d %d %d"
        .formatted(
            window.slices(),
            window.refresh() ? 1 : 0,
            window.seconds(),
            window.sliceMillis(),
            window.insertions(),
            window.sliceInsertions());
  }

  /** Reads a window, or fails with IllegalArgumentException. */
  static Window read(String text) {
    var parts = text.split(" ", -1);
    if (parts.length != FIELDS) {
      throw new IllegalArgumentException(FIELD);
    }
    return new Window(
        Long.parseLong(parts[2]),
        Long.parseLong(parts[4]),
        Integer.parseInt(parts[0]),
        parts[1].equals("1"),
        Long.parseLong(parts[3]),
        Long.parseLong(parts[5]));
  }
}
