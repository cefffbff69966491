package io.github.bloomgate.bench;

import java.util.Locale;

/** How figures are written. */
final class Figures {

  private Figures() {}

  /** With significant decimals only; a dash where there is no figure. */
  static String text(double figure) {
    if (Double.isNaN(figure)) {
      return "-";
    }
    var format = figure >= 100 ? "%,.0f" : figure >= 10 ? "%.1f" : "%.3f";
    return String.format(Locale.ROOT, format, figure);
  }
}
