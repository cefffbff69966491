package io.github.bloomgate.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** The format of figures. */
final class Figures {

  private Figures() {}

  /** Rounds to an integer, or to three digits if the figure is less than 100. */
  static String text(double figure) {
    return figure >= 100
        ? String.format(Locale.ROOT, "%,.0f", figure)
        : new BigDecimal(figure).round(new MathContext(3)).stripTrailingZeros().toPlainString();
  }
}
