package io.github.bloomgate.model.source;

import java.util.OptionalLong;

/**
 * The origin of a filter's elements and the schedule of its rebuilds.
 *
 * @param allowEmpty whether an origin without elements empties the filter; otherwise the run fails
 * @param minElements the least number of elements, or the run fails; 0 for no limit
 * @param minShareOfLastRun the least share of the elements of the last successful run, or the run
 *     fails; 0 for no limit
 */
public record Source(
    Origin origin,
    Schedule schedule,
    boolean allowEmpty,
    long minElements,
    double minShareOfLastRun) {

  /**
   * The least number of elements of a run.
   *
   * @param before the elements of the last successful run, if any
   */
  public long minElements(OptionalLong before) {
    var share = (long) Math.ceil(minShareOfLastRun * before.orElse(0));
    return Math.max(allowEmpty ? 0 : 1, Math.max(minElements, share));
  }
}
