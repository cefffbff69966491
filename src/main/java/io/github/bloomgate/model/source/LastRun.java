package io.github.bloomgate.model.source;

import java.time.Instant;
import java.util.Optional;

/**
 * The result of the last run of a source.
 *
 * @param startedAt by the Redis clock
 * @param finishedAt by the Redis clock
 * @param elements the number of elements it read, including duplicates
 * @param failure why it failed; empty if it succeeded
 */
public record LastRun(
    Instant startedAt, Instant finishedAt, long elements, Optional<Failure> failure) {

  /**
   * Why a run failed.
   *
   * @param code the name of an error code
   * @param detail a sentence without elements
   */
  public record Failure(String code, String detail) {}
}
