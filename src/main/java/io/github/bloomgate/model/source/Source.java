package io.github.bloomgate.model.source;

import java.util.OptionalLong;

/**
 * What a filter is rebuilt from, and when.
 *
 * @param origin where the elements are
 * @param schedule when they are read
 * @param allowEmpty whether an origin without elements empties the filter; else the run fails
 * @param minElements how many elements a run must read at least, or it fails; 0 for any number
 * @param minShareOfLastRun likewise, as a share of what the last run read that did not fail; 0 for
 *     any number
 */
public record Source(
    Origin origin,
    Schedule schedule,
    boolean allowEmpty,
    long minElements,
    double minShareOfLastRun) {

  /** A source of any size. */
  public Source(Origin origin, Schedule schedule, boolean allowEmpty) {
    this(origin, schedule, allowEmpty, 0, 0);
  }

  /**
   * How many elements a run must read at least.
   *
   * @param before how many the last run read that did not fail; empty if there was none
   */
  public long minElements(OptionalLong before) {
    var share = (long) Math.ceil(minShareOfLastRun * before.orElse(0));
    return Math.max(allowEmpty ? 0 : 1, Math.max(minElements, share));
  }
}
