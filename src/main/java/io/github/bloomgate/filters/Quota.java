package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.AccessErrors;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.store.UsageTotals.Limit;
import java.util.List;
import java.util.Optional;

/**
 * How much all filters of some names may be together, by whichever key they were made.
 *
 * @param key the id of the API key that it is for; empty for the service
 * @param prefixes what the names begin with; in order, and none begins with another
 * @param maxFilters how many there may be, adopted ones included; 0 for any number
 * @param maxBytes how many bytes their bitmaps may take, adopted ones when they are full grown; 0
 *     for any
 */
public record Quota(Optional<String> key, List<String> prefixes, long maxFilters, long maxBytes) {

  /** No limit but those of the service. */
  public static final Quota NONE = new Quota(Optional.empty(), List.of(), 0, 0);

  /** Of all filters, whichever key asks. */
  static Quota ofService(long maxFilters, long maxBytes) {
    return new Quota(Optional.empty(), List.of(""), maxFilters, maxBytes);
  }

  boolean limits() {
    return maxFilters > 0 || maxBytes > 0;
  }

  Limit asLimit() {
    return new Limit(prefixes, maxFilters, maxBytes);
  }

  BloomException tooManyFilters(long filters) {
    return key.map(id -> AccessErrors.tooManyFiltersOfKey(id, filters, maxFilters))
        .orElseGet(() -> AccessErrors.tooManyFilters(filters, maxFilters));
  }

  BloomException tooManyBytes(FilterName name, long more, long taken, String outcome) {
    return key.map(id -> AccessErrors.tooManyBytesOfKey(id, name, more, taken, maxBytes, outcome))
        .orElseGet(() -> AccessErrors.tooManyBytes(name, more, taken, maxBytes, outcome));
  }
}
