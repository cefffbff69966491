package io.github.bloomgate.model;

/**
 * The limits for all filters created by an API key together, or for all filters.
 *
 * @param owner the id of the key; empty for all filters, and for those created without a key
 * @param maxFilters the most filters, including adopted ones; 0 for no limit
 * @param maxBytes the most bytes of their bitmaps at full size; 0 for no limit
 */
public record Quota(String owner, long maxFilters, long maxBytes) {

  /** No limit and no owner. */
  public static final Quota NONE = new Quota("", 0, 0);
}
