package io.github.bloomgate.bench;

import java.util.Locale;

/** The target for a figure. */
record Target(boolean isLowerBound, double bound, String text) {

  /** At least this many times the peer. */
  static Target atLeast(double ratio) {
    return new Target(true, ratio, String.format(Locale.ROOT, ">= %.2f x", ratio));
  }

  /** At most this many times the peer. */
  static Target atMost(double ratio) {
    return new Target(false, ratio, String.format(Locale.ROOT, "<= %.2f x", ratio));
  }

  /** At most this value, without a peer. */
  static Target limit(double value, String unit) {
    return new Target(false, value, String.format(Locale.ROOT, "<= %.0f %s", value, unit));
  }

  boolean isMetBy(double figure) {
    return isLowerBound ? figure >= bound : figure <= bound;
  }
}
