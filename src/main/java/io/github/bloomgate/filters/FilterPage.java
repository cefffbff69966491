package io.github.bloomgate.filters;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.Rebuild;
import io.github.bloomgate.model.source.SourceStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Some filters in an order.
 *
 * @param entries the filters
 * @param next where the next page begins; empty when there are no more
 * @param orderedAt when the figures were read by which they are in order, if that is so long ago
 *     that those in the page may be others
 */
public record FilterPage(List<Entry> entries, Optional<Place> next, Optional<Instant> orderedAt) {

  /**
   * A filter in a page.
   *
   * @param name its name
   * @param filter what it is like; empty if it is damaged
   * @param figures how it is; empty if that was not asked for, or it is damaged
   */
  public record Entry(FilterName name, Optional<Filter> filter, Optional<Figures> figures) {}

  /**
   * How a filter is at a glance, without a look at its bits.
   *
   * @param statistics see {@link io.github.bloomgate.store.Glance}
   * @param source its source, if it has one
   * @param rebuild the rebuild that is open, if there is one
   */
  public record Figures(
      Optional<FilterStatistics> statistics,
      Optional<SourceStatus> source,
      Optional<Rebuild> rebuild) {}
}
