package io.github.bloomgate.http.answer;

import io.github.bloomgate.filters.CountingSizing;

/** The size of counters compared with bits. */
public record CountingSizingView(long counters, long fixedSizeBytes, double timesFixedSize) {

  static CountingSizingView of(CountingSizing sizing) {
    var fixed = sizing.fixed().sizeBytes();
    return new CountingSizingView(
        sizing.counters(), fixed, (double) sizing.parameters().shape().sizeBytes() / fixed);
  }
}
