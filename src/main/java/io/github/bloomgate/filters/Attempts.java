package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.FilterErrors;

/** The attempts to change a filter: each reads it again, because others change it too. */
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
   * The filter as it is now. Waits for Redis.
   *
   * @throws io.github.bloomgate.model.error.BloomException FILTER_CHANGED after the last attempt;
   *     FILTER_NOT_FOUND; all of {@link LiveFilters#find}
   */
  public FoundFilter next() {
    count();
    return live.get(name);
  }

  /** Counts an attempt that reads no filter; fails with FILTER_CHANGED after the last one. */
  public void count() {
    if (made++ == MAX) {
      throw FilterErrors.changed(name);
    }
  }
}
