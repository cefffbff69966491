package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;

/**
 * The attempts to change a filter, or to read all of it. The first one uses the cached filter,
 * because a script refuses an outdated version. Each later one reads the filter again. A filter
 * with a rebuild is always read, because an expired rebuild does not change the version.
 */
public final class Attempts {

  /** Each further attempt means that another client has just changed the filter. */
  public static final int MAX = 5;

  private final LiveFilters live;
  private final FilterName name;
  private int made;
  private boolean isRemembered;

  public Attempts(LiveFilters live, FilterName name) {
    this.live = live;
    this.name = name;
  }

  /**
   * The filter to change, at first from the cache. Blocks.
   *
   * @throws BloomException FILTER_CHANGED after the last attempt; FILTER_NOT_FOUND; all of {@link
   *     LiveFilters#find}
   */
  public Filter next() {
    count();
    var remembered =
        live.remembered(name).filter(found -> made == 1 && found.live().next().isEmpty());
    isRemembered = remembered.isPresent();
    return remembered.orElseGet(() -> live.get(name));
  }

  /** Fails because the filter cannot be changed so, unless it may be outdated: then read it. */
  public void refuse(BloomException reason) {
    if (!isRemembered) {
      throw reason;
    }
  }

  /** Counts an attempt without reading the filter; fails with FILTER_CHANGED after the last one. */
  public void count() {
    if (made++ == MAX) {
      throw FilterErrors.changed(name);
    }
  }
}
