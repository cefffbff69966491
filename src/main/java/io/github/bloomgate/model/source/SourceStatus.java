package io.github.bloomgate.model.source;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The source of a filter and the state of its runs. All times are by the Redis clock.
 *
 * @param nextRunAt the next scheduled run, if any
 * @param run the current run, which may have died with its instance
 * @param lastRun the result of the run before
 * @param elementsBefore the elements of the last successful run
 */
public record SourceStatus(
    Source source,
    Optional<Instant> nextRunAt,
    Optional<Run> run,
    Optional<LastRun> lastRun,
    OptionalLong elementsBefore) {

  /**
   * A run that has not ended.
   *
   * @param startedAt when an instance claimed it
   * @param attempt from 1; higher if instances died during the run, or Redis did not answer
   * @param rebuild the generation it loads, once that is open
   */
  public record Run(Instant startedAt, int attempt, Optional<String> rebuild) {}
}
