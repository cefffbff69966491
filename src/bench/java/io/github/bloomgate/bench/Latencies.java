package io.github.bloomgate.bench;

/** Durations of operations, in microseconds up to a second. Not thread-safe. */
final class Latencies {

  private static final int LONGEST_MICROS = 1_000_000;

  private final int[] counts = new int[LONGEST_MICROS + 1];
  private long operations;

  void add(long nanos) {
    counts[(int) Math.min(nanos / 1000, LONGEST_MICROS)]++;
    operations++;
  }

  void addAll(Latencies other) {
    for (var i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
    operations += other.operations;
  }

  long operations() {
    return operations;
  }

  /**
   * The duration that a share of the operations did not exceed; NaN without operations.
   *
   * @param share 0.5 for the median
   */
  double quantile(double share) {
    var wanted = Math.max(1, (long) Math.ceil(operations * share));
    long seen = 0;
    for (var micros = 0; micros < counts.length; micros++) {
      seen += counts[micros];
      if (seen >= wanted) {
        return micros;
      }
    }
    return Double.NaN;
  }

  Sample sample(double seconds) {
    return new Sample(operations / seconds, operations, quantile(0.5));
  }
}
