package io.github.bloomgate.filters;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.source.LastRun;
import io.github.bloomgate.model.source.SourceStatus;
import java.util.Optional;

/** Orders of a list of filters; those that are equal stand in the order of their names. */
public enum FilterOrder {
  /** By name. */
  NAME,
  /** Those first that hold the most of what they were made for. */
  FILL,
  /** Those first whose rate is the worst against the one that was promised. */
  RATE,
  /** Those first that hold the most elements. */
  ELEMENTS,
  /** Those first that take the most memory. */
  MEMORY,
  /** Those first that vanish first. */
  DEADLINE,
  /**
   * Damaged ones first, then by how much is wrong with them, then those that something is done to.
   */
  STATE;

  private static final double DAMAGED = 100;
  private static final double WRONG = 10;

  /** A rate is above the promised one when it is so by more than what rounding may be. */
  private static final double TOLERANCE = 1.1;

  /** Where a filter stands: the smallest number first. */
  double rank(FilterPage.Entry entry) {
    return switch (this) {
      case NAME -> 0;
      case FILL -> -share(entry);
      case RATE -> -rate(entry);
      case ELEMENTS -> -elements(entry);
      case MEMORY -> -entry.filter().map(Filter::sizeBytes).orElse(-1L);
      case DEADLINE ->
          entry
              .filter()
              .flatMap(Filter::expiresAt)
              .map(deadline -> (double) deadline.toEpochMilli())
              .orElse(Double.POSITIVE_INFINITY);
      case STATE -> -trouble(entry);
    };
  }

  private static double share(FilterPage.Entry entry) {
    return elements(entry) / expected(entry);
  }

  /** One that is saturated holds any number; of one whose bits nobody counts it is not known. */
  private static double elements(FilterPage.Entry entry) {
    return statistics(entry)
        .map(known -> known.approximateElementCount().orElse(Long.MAX_VALUE) * 1.0)
        .orElse(Double.NEGATIVE_INFINITY);
  }

  private static double rate(FilterPage.Entry entry) {
    return statistics(entry)
        .map(
            known ->
                known.estimatedFalsePositiveProbability()
                    / entry.filter().orElseThrow().parameters().falsePositiveProbability())
        .orElse(Double.NEGATIVE_INFINITY);
  }

  private static double trouble(FilterPage.Entry entry) {
    if (entry.filter().isEmpty()) {
      return DAMAGED;
    }
    var filter = entry.filter().get();
    var source = entry.figures().flatMap(FilterPage.Figures::source);
    var isRunning = source.flatMap(SourceStatus::run).isPresent();
    var hasFailed =
        !isRunning && source.flatMap(SourceStatus::lastRun).flatMap(LastRun::failure).isPresent();
    var wrong = one(hasFailed) + one(isFull(entry)) + one(rate(entry) > TOLERANCE);
    return WRONG * wrong + one(!filter.isReady() || filter.next().isPresent() || isRunning);
  }

  private static int one(boolean isSo) {
    return isSo ? 1 : 0;
  }

  private static boolean isFull(FilterPage.Entry entry) {
    var parameters = entry.filter().orElseThrow().parameters();
    var whenFull = parameters.whenFull();
    // Of one that forgets, what was added again counts in each slice.
    return whenFull != WhenFull.GROW
        && parameters.window().isEmpty()
        && (share(entry) >= 1
            || (whenFull == WhenFull.REJECT
                && statistics(entry).map(FilterStatistics::insertions).orElse(0L)
                    >= expected(entry)));
  }

  private static long expected(FilterPage.Entry entry) {
    return entry.filter().map(Filter::expectedInsertions).orElse(1L);
  }

  private static Optional<FilterStatistics> statistics(FilterPage.Entry entry) {
    return entry.figures().flatMap(FilterPage.Figures::statistics);
  }
}
