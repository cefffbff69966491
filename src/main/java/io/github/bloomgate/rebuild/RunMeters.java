package io.github.bloomgate.rebuild;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** Metrics of rebuilds from sources. Thread-safe. */
final class RunMeters {

  private final Timer done;
  private final Timer failed;
  private final Counter elements;

  RunMeters(MeterRegistry registry) {
    done = timer(registry, "ok");
    failed = timer(registry, "failed");
    elements =
        Counter.builder("bloom.source.elements")
            .description("Number of elements read from sources.")
            .register(registry);
  }

  private static Timer timer(MeterRegistry registry, String result) {
    return Timer.builder("bloom.source.run")
        .description("Duration of rebuilds from sources, in seconds.")
        .tag("result", result)
        .register(registry);
  }

  void ran(boolean ok, Duration time, long read) {
    (ok ? done : failed).record(time);
    elements.increment((double) read);
  }
}
