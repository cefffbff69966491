package io.github.bloomgate.bench;

import java.util.EnumMap;
import java.util.Map;

/**
 * The result of one measurement.
 *
 * @param value in the unit of its benchmark
 * @param operations number of completed operations
 * @param p50 median time of an operation in microseconds, or NaN
 * @param others further figures of the same measurement
 */
record Sample(double value, long operations, double p50, Map<Figure, Double> others) {

  /** A further figure of a measurement. */
  enum Figure {
    CPU_MICROS_PER_OPERATION,
    ADDS_PER_SECOND,
    BYTES_PER_ADD,
    MEDIAN_AGE_MILLIS,
    P99_AGE_MILLIS
  }

  Sample(double value, long operations, double p50) {
    this(value, operations, p50, Map.of());
  }

  static Sample of(double value) {
    return new Sample(value, 1, Double.NaN);
  }

  Sample withValue(double other) {
    return new Sample(other, operations, p50, others);
  }

  Sample with(Figure figure, double other) {
    var all = new EnumMap<Figure, Double>(Figure.class);
    all.putAll(others);
    all.put(figure, other);
    return new Sample(value, operations, p50, all);
  }

  /** The same result in elements, if an operation has several. */
  Sample times(int elements) {
    return withValue(value * elements);
  }
}
