package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.FilterErrors;

/**
 * The attempts to change a filter. The first uses what is remembered, since a script refuses
 * another version. Each later one reads the filter again, because others change it too. One with a
 * rebuild is always read: a rebuild that has expired leaves the version as it is.
 */
public final class Attempts {

  /** Each attempt but the first means that somebody changed the filter a moment ago. */
  public static final int MAX = 5;

  private final LiveFilters live;
  private final FilterName name;
  private int made;

  Attempts(LiveFilters live, FilterName name) {
    this.live = live;
    this.name = name;
  }

  /**
   * The filter to change, as this instance knows it at first. Waits for Redis.
   *
   * @throws io.github.bloomgate.model.error.BloomException FILTER_CHANGED after the last attempt;
   *     FILTER_NOT_FOUND; all of {@link LiveFilters#find}
   */
  public FoundFilter next() {
    count();
    return made == 1
        ? live.remembered(name)
            .filter(found -> found.filter().next().isEmpty())
            .orElseGet(() -> live.get(name))
        : live.get(name);
  }

  /** Counts an attempt that reads no filter; fails with FILTER_CHANGED after the last one. */
  public void count() {
    if (made++ == MAX) {
      throw FilterErrors.changed(name);
    }
  }
}
