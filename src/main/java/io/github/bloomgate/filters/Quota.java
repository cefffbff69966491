package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.AccessErrors;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.store.NameReply.OverQuota;
import io.github.bloomgate.store.NameStore.Limit;

/**
 * The limits for all filters created by an API key together.
 *
 * @param owner the id of the key; empty for filters created without a key
 * @param maxFilters the most filters, including adopted ones; 0 for no limit
 * @param maxBytes the most bytes of their bitmaps at full size; 0 for no limit
 */
public record Quota(String owner, long maxFilters, long maxBytes) {

  /** No limit and no owner. */
  public static final Quota NONE = new Quota("", 0, 0);

  Limit limit() {
    return new Limit(maxFilters, maxBytes);
  }

  /** The error of a request that exceeds this quota. */
  BloomException refusal(FilterName name, OverQuota over, String outcome) {
    return over.isFilters()
        ? AccessErrors.tooManyFiltersOfKey(owner, over.held(), maxFilters)
        : AccessErrors.tooManyBytesOfKey(owner, name, over.more(), over.held(), maxBytes, outcome);
  }
}
