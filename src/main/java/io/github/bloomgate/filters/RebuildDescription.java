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
 * @param elapsed the time since it was opened
 */
public record RebuildDescription(Generation next, FilterStatistics statistics, Duration elapsed) {

  /** A rebuild that was just opened, so that it is empty. */
  public static RebuildDescription opened(Generation next) {
    var empty = Collections.nCopies(next.segments(), SegmentCounts.NONE);
    return new RebuildDescription(next, FilterStatistics.of(next.plan(), empty), Duration.ZERO);
  }

  /** Elements loaded into it, without those added to the live filter. */
  public long elementsReceived() {
    return next.loading().received();
  }

  /** The share of its expected insertions that it has received. */
  public double progress() {
    return (double) elementsReceived() / next.parameters().expectedInsertions();
  }

  /** The time without a load after which it is abandoned. */
  public Duration idleTimeout() {
    return next.loading().idleTimeout();
  }
}
