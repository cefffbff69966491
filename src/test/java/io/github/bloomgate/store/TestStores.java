package io.github.bloomgate.store;

import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.filter.FilterName;
import io.github.bloomgate.redis.TestLink;
import java.util.List;

/** The stores of one instance of the service, and where they keep a filter. */
public record TestStores(
    FilterStore filters,
    SegmentStore segments,
    RebuildStore rebuilds,
    Catalogue catalogue,
    UnsettledFilters unsettled) {

  /** Stores over a link. */
  public static TestStores over(TestLink link) {
    var scripts = link.scripts();
    var filters = new FilterStore(scripts);
    return new TestStores(
        filters,
        new SegmentStore(scripts),
        new RebuildStore(scripts),
        new Catalogue(link.link(), filters),
        new UnsettledFilters(scripts));
  }

  /** State and bits of a segment. */
  public static List<String> keys(Filter filter, int segment) {
    return Keys.ofSegment(filter, segment);
  }

  /** State and bits of the first segment, and the list of segment sets. */
  public static List<String> keys(FilterName name) {
    return Keys.ofFilter(name).subList(0, 3);
  }

  /** State and bits of the first segment of the next generation. */
  public static List<String> nextKeys(FilterName name) {
    return Keys.ofNextFirstSegment(name);
  }

  /** The sorted set of all names. */
  public static String catalogueKey() {
    return Keys.CATALOGUE;
  }

  /** The sorted set of names to be settled. */
  public static String unsettledKey() {
    return Keys.UNSETTLED;
  }
}
