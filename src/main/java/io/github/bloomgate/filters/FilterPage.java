package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.source.SourceStatus;
import java.util.List;
import java.util.Optional;

/**
 * A page of filters in order of names.
 *
 * @param next the name after which the next page begins; empty on the last page
 */
public record FilterPage(List<Entry> entries, Optional<FilterName> next) {

  /**
   * A filter in a page.
   *
   * @param filter empty if it is damaged
   * @param figures empty if not requested or the filter is damaged
   */
  public record Entry(FilterName name, Optional<Filter> filter, Optional<Figures> figures) {}

  /**
   * A summary of a filter that does not read its bits.
   *
   * @param statistics as of the last fold, which may be a minute ago
   * @param source its source, if any
   * @param rebuildProgress the share of its expected insertions that an open rebuild has loaded
   */
  public record Figures(
      Optional<FilterStatistics> statistics,
      Optional<SourceStatus> source,
      Optional<Double> rebuildProgress) {}
}
