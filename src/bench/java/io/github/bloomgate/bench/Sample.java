package io.github.bloomgate.bench;

/**
 * The result of one measurement.
 *
 * @param value in the unit of its benchmark
 * @param operations number of completed operations
 * @param p50 median time of an operation in microseconds, or NaN
 */
record Sample(double value, long operations, double p50) {

  static Sample of(double value) {
    return new Sample(value, 1, Double.NaN);
  }

  Sample withValue(double other) {
    return new Sample(other, operations, p50);
  }

  /** The same result in elements, if an operation has several. */
  Sample times(int elements) {
    return withValue(value * elements);
  }
}
