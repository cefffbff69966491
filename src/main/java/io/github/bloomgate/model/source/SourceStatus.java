package io.github.bloomgate.model.source;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The source of a filter and what became of it so far. All times are by the clock of Redis.
 *
 * @param source what the filter is rebuilt from
 * @param nextRunAt when it is due; empty if not by itself
 * @param run the run that reads it, which may have died
 * @param lastRun how the run before that ended
 * @param elementsBefore how many elements the last run read that did not fail
 */
public record SourceStatus(
    Source source,
    Optional<Instant> nextRunAt,
    Optional<Run> run,
    Optional<LastRun> lastRun,
    OptionalLong elementsBefore) {

  /**
   * A run that was begun and has not ended.
   *
   * @param startedAt when it was claimed
   * @param attempt how often it was, counted from 1: more than once if instances died
   * @param rebuild the generation it loads, once that is open
   */
  public record Run(Instant startedAt, int attempt, Optional<String> rebuild) {}
}
