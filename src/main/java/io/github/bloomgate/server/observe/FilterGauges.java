package io.github.bloomgate.server.observe;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.filters.FilterPage;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterStatistics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.quarkus.runtime.Startup;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jboss.logging.Logger;

/**
 * Gauges of the first filters by name.
 *
 * <p>Each round reads the names and then one filter after the other, from the headers of its
 * segments. Adopted filters are left out because their bits would have to be counted. Insertions of
 * filters with a window are left out because they include expired elements, and the capacity of
 * growing ones because they never become full. Thread-safe.
 */
@Singleton
@Startup
public class FilterGauges {

  private static final Logger LOG = Logger.getLogger(FilterGauges.class);

  /** The value of a gauge that a filter does not have. */
  private static final double NONE = Double.NaN;

  private record Level(Generation generation, FilterStatistics statistics) {}

  private final DescriptionService descriptions;
  private final BloomgateConfig.Metrics settings;
  private final Map<MultiGauge, ToDoubleFunction<Level>> gauges;

  @Inject
  FilterGauges(DescriptionService descriptions, BloomgateConfig config, MeterRegistry metrics) {
    this.descriptions = descriptions;
    this.settings = config.metrics();
    if (settings.filters() > 0 && settings.filterInterval().toMillis() < 1000) {
      throw new IllegalArgumentException(
          "bloomgate.metrics.filter-interval is %s and must be 1s or longer"
              .formatted(settings.filterInterval()));
    }
    this.gauges =
        Map.of(
            gauge(metrics, "bloom.filter.fill.ratio", "Fill ratio of the bitmap, from 0 to 1."),
            level -> level.statistics.fillRatio(),
            gauge(metrics, "bloom.filter.insertions", "Number of adds that changed a bit."),
            FilterGauges::insertions,
            gauge(metrics, "bloom.filter.expected.insertions", "Capacity of the filter (n)."),
            FilterGauges::capacity,
            gauge(
                metrics,
                "bloom.filter.estimated.false.positive.probability",
                "Current estimated false-positive rate, from 0 to 1."),
            level -> level.statistics.estimatedFalsePositiveProbability(),
            gauge(
                metrics,
                "bloom.filter.false.positive.probability",
                "Requested false-positive rate at capacity (p), from 0 to 1."),
            level -> level.generation.parameters().falsePositiveProbability());
  }

  private static MultiGauge gauge(MeterRegistry metrics, String name, String description) {
    return MultiGauge.builder(name).description(description).register(metrics);
  }

  private static double insertions(Level level) {
    return level.generation.kind().countsInsertions() ? level.statistics.insertions() : NONE;
  }

  private static double capacity(Level level) {
    return level.generation.kind().hasCapacity() ? level.generation.expectedInsertions() : NONE;
  }

  /** If Redis is slow, a round may take longer than the interval. */
  @Scheduled(
      every = "{bloomgate.metrics.filter-interval}",
      concurrentExecution = ConcurrentExecution.SKIP)
  void refreshAgain() {
    if (settings.filters() > 0) {
      try {
        refresh();
      } catch (RuntimeException failure) {
        LOG.debugf("The filters could not be measured: %s", failure.getMessage());
      }
    }
  }

  /** Updates the gauges. If Redis is unavailable, it fails and they do not change. */
  public void refresh() {
    var levels =
        descriptions
            .list(
                List.of(settings.filterPrefix().orElse("")),
                Optional.empty(),
                settings.filters(),
                true,
                Client.SERVICE)
            .entries()
            .stream()
            .flatMap(entry -> level(entry).stream())
            .toList();
    gauges.forEach((gauge, number) -> gauge.register(rows(levels, number), true));
  }

  private static Optional<Level> level(FilterPage.Entry entry) {
    return entry.statistics().map(statistics -> new Level(entry.live().orElseThrow(), statistics));
  }

  private static List<MultiGauge.Row<?>> rows(List<Level> levels, ToDoubleFunction<Level> number) {
    var rows = new ArrayList<MultiGauge.Row<?>>();
    for (var level : levels) {
      var value = number.applyAsDouble(level);
      if (!Double.isNaN(value)) {
        rows.add(MultiGauge.Row.of(Tags.of("filter", level.generation.name().value()), value));
      }
    }
    return rows;
  }
}
