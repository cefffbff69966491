package io.github.bloomgate.server.observe;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.stream.LongStream;

/**
 * A histogram of request durations, so that percentiles can be computed over several instances. Few
 * buckets, because each adds a time series for every operation and status.
 */
@Singleton
final class LatencyBuckets implements MeterFilter {

  private static final double[] LIMITS =
      LongStream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000)
          .mapToDouble(millis -> (double) Duration.ofMillis(millis).toNanos())
          .toArray();

  @Override
  public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
    return id.getName().equals("http.server.requests")
        ? DistributionStatisticConfig.builder().serviceLevelObjectives(LIMITS).build().merge(config)
        : config;
  }
}
