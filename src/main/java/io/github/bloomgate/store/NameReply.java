package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import java.util.List;

/** The result of a change of the catalogue. Only {@link Done} means that it was changed. */
public sealed interface NameReply {

  /**
   * The current entry.
   *
   * @param entry empty if it was removed
   * @param isReservation whether it does not describe what exists
   */
  record Done(String entry, boolean isReservation) implements NameReply {}

  /** The current entry differs from the one the caller has read; empty for none. */
  record Differs(String entry) implements NameReply {}

  /**
   * A quota is exceeded.
   *
   * @param isFilters whether the limit is on the number of filters, not on bytes
   * @param isOfAll whether it is the quota of all filters, not of the owner
   * @param held the total that counts towards the quota
   * @param more the additional amount the caller needs
   * @param due some names to check before another attempt
   */
  record OverQuota(boolean isFilters, boolean isOfAll, long held, long more, List<FilterName> due)
      implements NameReply {}
}
