package io.github.bloomgate.filters;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.Rebuild;
import io.github.bloomgate.model.source.SourceStatus;
import java.util.List;
import java.util.Optional;

/**
 * Some filters in the order of their names.
 *
 * @param entries the filters
 * @param next the name behind which the next page begins; empty when there are no more
 */
public record FilterPage(List<Entry> entries, Optional<FilterName> next) {

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
   * @param statistics as of the last fold, which may be a minute ago
   * @param source its source, if it has one
   * @param rebuild the rebuild that is open, if there is one
   */
  public record Figures(
      Optional<FilterStatistics> statistics,
      Optional<SourceStatus> source,
      Optional<Rebuild> rebuild) {}
}
