package io.github.bloomgate.server.observe;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.Glance;
import io.github.bloomgate.store.SegmentStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.quarkus.runtime.Startup;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jboss.logging.Logger;

/**
 * How full some filters are: the first ones in the order of names, as many as are asked for.
 *
 * <p>Each round asks Redis for the names and then for one filter after the other, a small call
 * each, or one for each layer, whatever the size of the filter: see {@link Glance}. Adopted filters
 * are left out, as their bits would have to be counted; insertions of those that forget are, as
 * they tell nothing of what is remembered. Filters that are gone have no gauges from the next round
 * on. Thread-safe.
 */
@Singleton
@Startup
public class FilterGauges {

  private static final Logger LOG = Logger.getLogger(FilterGauges.class);

  /**
   * A filter in numbers.
   *
   * @param filter the filter
   * @param statistics what its content amounts to
   */
  private record Level(Filter filter, FilterStatistics statistics) {}

  private final Catalogue catalogue;
  private final FilterStore filters;
  private final SegmentStore segments;
  private final BloomgateConfig.Metrics settings;
  private final List<LevelGauge> gauges;

  @Inject
  FilterGauges(
      Catalogue catalogue,
      FilterStore filters,
      SegmentStore segments,
      BloomgateConfig config,
      MeterRegistry metrics) {
    this.catalogue = catalogue;
    this.segments = segments;
    this.filters = filters;
    this.settings = config.metrics();
    if (settings.filters() > 0 && settings.filterInterval().toMillis() < 1000) {
      throw new IllegalArgumentException(
          "bloomgate.metrics.filter-interval is %s and must be 1s or longer"
              .formatted(settings.filterInterval()));
    }
    this.gauges =
        List.of(
            new LevelGauge(
                metrics,
                "bloom.filter.fill.ratio",
                "Share of the bits that are 1, from 0 to 1.",
                level -> level.statistics.fillRatio()),
            new LevelGauge(
                metrics,
                "bloom.filter.insertions",
                "Number of adds that changed a bit.",
                FilterGauges::insertions),
            new LevelGauge(
                metrics,
                "bloom.filter.expected.insertions",
                "Number of elements the filter was made for.",
                level -> level.filter.expectedInsertions()),
            new LevelGauge(
                metrics,
                "bloom.filter.estimated.false.positive.probability",
                "Probability, from 0 to 1, that an element never added is answered maybe now.",
                level -> level.statistics.estimatedFalsePositiveProbability()),
            new LevelGauge(
                metrics,
                "bloom.filter.false.positive.probability",
                "Probability, from 0 to 1, of that when the filter is full, as it was asked for.",
                level -> level.filter.parameters().falsePositiveProbability()));
  }

  private static double insertions(Level level) {
    return level.filter.window().isPresent() ? LevelGauge.NONE : level.statistics.insertions();
  }

  /** While Redis is slow a round may take longer than the interval. */
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

  /**
   * Brings the gauges up to date. If Redis cannot be asked, it fails and they stay as they were.
   */
  public void refresh() {
    var prefix = settings.filterPrefix().orElse("");
    var levels =
        catalogue.page(prefix, Optional.empty(), settings.filters()).stream()
            .flatMap(name -> level(name).stream())
            .toList();
    gauges.forEach(gauge -> gauge.show(levels));
  }

  private Optional<Level> level(FilterName name) {
    try {
      var found = await(filters.find(name));
      if (found.isEmpty()) {
        // Else names of filters that have expired would take the places of others for good.
        catalogue.remove(name);
      }
      return found.flatMap(
          stored ->
              await(Glance.at(stored, segments))
                  .map(statistics -> new Level(stored.filter(), statistics)));
    } catch (BloomException failure) {
      return switch (failure.code()) {
        case FILTER_DAMAGED, WRONG_KEY_TYPE, KEY_MISMATCH -> Optional.empty();
        default -> throw failure;
      };
    }
  }

  /** One number of each filter. */
  private static final class LevelGauge {
    /** For a filter that has no such number. */
    static final double NONE = Double.NaN;

    private final MultiGauge gauge;
    private final ToDoubleFunction<Level> number;

    LevelGauge(
        MeterRegistry metrics, String name, String description, ToDoubleFunction<Level> number) {
      this.gauge = MultiGauge.builder(name).description(description).register(metrics);
      this.number = number;
    }

    void show(List<Level> levels) {
      gauge.register(
          levels.stream()
              .filter(level -> !Double.isNaN(number.applyAsDouble(level)))
              .map(
                  level ->
                      MultiGauge.Row.of(
                          Tags.of("filter", level.filter.name().value()),
                          number.applyAsDouble(level)))
              .toList(),
          true);
    }
  }
}
