package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.segment.SegmentCounts;
import java.time.Duration;
import java.util.Collections;

/**
 * An open rebuild: a next generation that is loaded while the live one is in use.
 *
 * @param next the generation being loaded, which is abandoned when it expires
 * @param statistics of that generation
 * @param elementsReceived elements loaded into it, without those added to the live filter
 * @param idleTimeout the time without a load after which it is abandoned
 * @param elapsed the time since it was opened
 */
public record RebuildDescription(
    Filter next,
    FilterStatistics statistics,
    long elementsReceived,
    Duration idleTimeout,
    Duration elapsed) {

  /** A rebuild that was just opened, so that it is empty. */
  public static RebuildDescription opened(Filter next, Duration idleTimeout) {
    var empty = Collections.nCopies(next.segments(), SegmentCounts.NONE);
    return new RebuildDescription(
        next, FilterStatistics.of(next.plan(), empty), 0, idleTimeout, Duration.ZERO);
  }
}
