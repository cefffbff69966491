package io.github.bloomgate.model.error;

import java.util.List;

/** Details of an error for a client to act on. */
public sealed interface ProblemDetails {

  record Violations(List<Violation> violations) implements ProblemDetails {}

  record Differences(List<Difference> differences) implements ProblemDetails {}

  /**
   * The number of elements applied before the request failed.
   *
   * @param inOrder whether they are the first ones
   */
  record Applied(long count, boolean inOrder) implements ProblemDetails {}

  /** The filters of an add to several that have all elements. */
  record AddedTo(List<String> filters) implements ProblemDetails {}

  /** The methods of the path, as in the {@code Allow} header. */
  record Allowed(String methods) implements ProblemDetails {}

  record RetryAfter(long seconds) implements ProblemDetails {}

  /**
   * The position where a stream stopped.
   *
   * @param line the first line, from 1, that failed or was in a call that failed; all lines before
   *     it were processed
   * @param appliedCount the number of elements known to be added; null if the stream only tests
   */
  record Stopped(long line, Long appliedCount) implements ProblemDetails {}
}
