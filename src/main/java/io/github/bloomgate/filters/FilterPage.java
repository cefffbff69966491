package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterStatistics;
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
   * @param live empty if it is damaged
   * @param figures as of the last fold, which may be a minute ago; empty if not requested or the
   *     filter is damaged
   */
  public record Entry(FilterName name, Optional<Generation> live, Optional<Description> figures) {

    /** The statistics of its figures; empty if its bits were not counted. */
    public Optional<FilterStatistics> statistics() {
      return figures
          .filter(its -> its.live().storedContent().uncounted().isEmpty())
          .map(Description::statistics);
    }
  }
}
