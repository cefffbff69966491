package io.github.bloomgate.server.observe;

import io.github.bloomgate.http.contract.Contract;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Labels and buckets of the framework's metric of requests.
 *
 * <p>The labels are limited to the contract's values. For a request refused early the framework
 * uses the path, including the name of the filter, and for any request its method. So clients could
 * create any number of time series and exhaust the limit of counted paths.
 *
 * <p>With a histogram of durations, percentiles can be computed over several instances. It has few
 * buckets, because each adds a time series for every operation and status.
 */
@Singleton
final class RequestMetrics implements MeterFilter {

  private static final String REQUESTS = "http.server.requests";
  private static final String OTHER = "OTHER";

  /** For requests that the client gave up. The framework knows only their path. */
  private static final Tag UNKNOWN_BODY = Tag.of(RequestLabels.STREAM, "unknown");

  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT");

  private static final String CONSOLE = "/console/";
  private static final Set<String> PLAIN =
      Set.of(
          "/",
          "/index.html",
          "/q/health",
          "/q/health/live",
          "/q/health/ready",
          "/q/health/started",
          "/q/metrics",
          "/q/openapi",
          "/q/swagger-ui",
          "root",
          "NOT_FOUND",
          "REDIRECTION",
          "UNKNOWN");

  private static final double[] LIMITS =
      LongStream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000)
          .mapToDouble(millis -> (double) Duration.ofMillis(millis).toNanos())
          .toArray();

  private final Contract contract;

  RequestMetrics(Contract contract) {
    this.contract = contract;
  }

  @Override
  public Meter.Id map(Meter.Id id) {
    if (!id.getName().equals(REQUESTS)) {
      return id;
    }
    var method = id.getTag("method");
    var uri = id.getTag("uri");
    // All requests need the same labels. A label that is there replaces the first one.
    return id.replaceTags(
        Tags.of(UNKNOWN_BODY)
            .and(id.getTags())
            .and("method", METHODS.contains(method) ? method : OTHER, "uri", path(uri)));
  }

  @Override
  public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
    return id.getName().equals(REQUESTS)
        ? DistributionStatisticConfig.builder().serviceLevelObjectives(LIMITS).build().merge(config)
        : config;
  }

  private String path(String uri) {
    if (PLAIN.contains(uri)) {
      return uri;
    }
    if (uri.startsWith(CONSOLE)) {
      return CONSOLE + "{file}";
    }
    return contract.at(uri).map(Contract.Path::template).orElse(OTHER);
  }
}
