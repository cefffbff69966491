package io.github.bloomgate.model.error;

import java.util.List;

/** What an error tells beyond its message, for a client to act on. */
public sealed interface ProblemDetails {

  /** The values of the request that are not acceptable. */
  record Violations(List<Violation> violations) implements ProblemDetails {}

  /** The parameters in which an existing filter differs from what was asked for. */
  record Differences(List<Difference> differences) implements ProblemDetails {}

  /**
   * How many elements of the request took effect before it failed.
   *
   * @param inOrder whether they are the first ones
   */
  record Applied(long count, boolean inOrder) implements ProblemDetails {}

  /** When the request is worth repeating, in seconds from now. */
  record RetryAfter(long seconds) implements ProblemDetails {}

  /**
   * Where a stream stopped.
   *
   * @param line the number of the first line, from 1, that failed or was in a call that failed; all
   *     lines before it were done
   * @param appliedCount how many elements are known to be added; null if the stream only tests
   */
  record Stopped(long line, Long appliedCount) implements ProblemDetails {}
}
