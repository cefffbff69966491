package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.store.FindReply.Header;
import java.util.List;
import java.util.Optional;

/**
 * A filter that was changed, as the script that changed it returned it.
 *
 * @param found empty if it must be read: a rebuild is open, or it is damaged or gone by now
 * @param millis the time in Redis; 0 without headers
 * @param headers of all segments the caller knew of, in order; none if they were not asked for
 */
public record ChangedFilter(
    FilterName name, Optional<Filter> found, long millis, List<Header> headers) {

  /** Makes the list immutable. */
  public ChangedFilter {
    headers = List.copyOf(headers);
  }

  /** A filter that must be read. */
  static ChangedFilter unread(FilterName name) {
    return new ChangedFilter(name, Optional.empty(), 0, List.of());
  }
}
