package io.github.bloomgate.bench;

/**
 * The result of one measurement.
 *
 * @param value in the unit of its benchmark
 * @param operations number of completed operations
 * @param p50 median time of an operation in microseconds, or NaN
 * @param p99 99th percentile of that time in microseconds, or NaN
 * @param generatorCores number of processors that the load generator kept busy, or NaN if the
 *     client is the peer itself
 * @param otherCores number of processors that other programs kept busy, or NaN
 */
record Sample(
    double value,
    long operations,
    double p50,
    double p99,
    double generatorCores,
    double otherCores) {

  static Sample of(double value) {
    return new Sample(value, 1, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }

  Sample withValue(double other) {
    return new Sample(other, operations, p50, p99, generatorCores, otherCores);
  }

  Sample beside(double others) {
    return new Sample(value, operations, p50, p99, generatorCores, others);
  }

  /** The same result in elements, if an operation has several. */
  Sample times(int elements) {
    return withValue(value * elements);
  }
}
