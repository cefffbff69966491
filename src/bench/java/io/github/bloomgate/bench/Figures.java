package io.github.bloomgate.bench;

import java.util.Locale;

/** The format of figures. */
final class Figures {

  private Figures() {}

  /** Prints significant decimals only, and a dash for NaN. */
  static String text(double figure) {
    if (Double.isNaN(figure)) {
      return "-";
    }
    var format = figure >= 100 ? "%,.0f" : figure >= 10 ? "%.1f" : "%.3f";
    return String.format(Locale.ROOT, format, figure);
  }
}
