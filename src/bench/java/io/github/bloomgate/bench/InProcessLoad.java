package io.github.bloomgate.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs operations of a library in threads of this process. */
final class InProcessLoad {

  /** One operation of a thread. */
  interface Operation {

    /**
     * Runs the operation.
     *
     * @param serial a number that is unique within the measurement
     */
    void run(long serial);
  }

  private InProcessLoad() {}

  /** Measures operations per second. */
  static Sample run(int threads, Duration time, Operation operation) {
    var executor = Executors.newFixedThreadPool(threads);
    try {
      var end = System.nanoTime() + time.toNanos();
      var parts = new ArrayList<Future<Latencies>>();
      for (var i = 0; i < threads; i++) {
        var first = i;
        parts.add(executor.submit(() -> loop(first, threads, end, operation)));
      }
      var all = new Latencies();
      for (var part : parts) {
        all.addAll(part.get());
      }
      return all.sample(time.toNanos() / 1e9);
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      executor.shutdownNow();
    }
  }

  private static Latencies loop(int first, int step, long end, Operation operation) {
    var latencies = new Latencies();
    var now = System.nanoTime();
    for (long serial = first; now < end; serial += step) {
      operation.run(serial);
      var done = System.nanoTime();
      latencies.add(done - now);
      now = done;
    }
    return latencies;
  }
}
