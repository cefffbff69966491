package io.github.bloomgate.model.source;

import java.math.BigDecimal;
import java.math.RoundingMode;
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
    // Exact, because 0.55 * 100 as doubles is more than 55.
    var share =
        BigDecimal.valueOf(minShareOfLastRun)
            .multiply(BigDecimal.valueOf(before.orElse(0)))
            .setScale(0, RoundingMode.CEILING)
            .longValueExact();
    return Math.max(allowEmpty ? 0 : 1, Math.max(minElements, share));
  }
}
