package io.github.bloomgate.error;

import java.util.List;

/** What an error tells beyond its message, for a client to act on. */
public sealed interface Facts {

  /** The values of the request that are not acceptable. */
  record Violations(List<Violation> violations) implements Facts {}

  /** The parameters in which an existing filter differs from what was asked for. */
  record Differences(List<Difference> differences) implements Facts {}

  /** How many elements of the request took effect before it failed. */
  record Applied(long count) implements Facts {}
}
