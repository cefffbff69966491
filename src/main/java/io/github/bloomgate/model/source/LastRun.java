package io.github.bloomgate.model.source;

import java.time.Instant;
import java.util.Optional;

/**
 * How the last run of a source ended.
 *
 * @param startedAt when it began, by the clock of Redis
 * @param finishedAt when it ended
 * @param elements how many elements it read; one that the source names twice counts twice
 * @param failure why it failed; empty if the filter now holds what was read
 */
public record LastRun(
    Instant startedAt, Instant finishedAt, long elements, Optional<Failure> failure) {

  /**
   * Why a run failed.
   *
   * @param code the name of an error code
   * @param detail a sentence that holds no element
   */
  public record Failure(String code, String detail) {}
}
