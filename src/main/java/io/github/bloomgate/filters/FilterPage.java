package io.github.bloomgate.filters;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import java.util.List;
import java.util.Optional;

/**
 * Some filters in the order of their names.
 *
 * @param entries the filters
 * @param next the name to continue after; empty when there are no more
 */
public record FilterPage(List<Entry> entries, Optional<FilterName> next) {

  /**
   * A filter in a page.
   *
   * @param name its name
   * @param filter what it is like; empty if it is damaged
   */
  public record Entry(FilterName name, Optional<Filter> filter) {}
}
