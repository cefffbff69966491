package io.github.bloomgate.store;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.Generation;
import java.time.Instant;
import java.util.Optional;

/** Tests of the scripts that let later segments follow what became of their filter. */
abstract class ReconcilingScripts extends OnScriptBench {

  static final Optional<Long> NEVER = Optional.empty();

  static Filter next(Filter filter, Generation generation, Optional<Long> deadline) {
    return new Filter(
        filter.name(),
        filter.parameters(),
        generation,
        filter.revision() + 1,
        Filter.Pending.NOTHING,
        filter.createdAt(),
        deadline.map(Instant::ofEpochMilli),
        Optional.empty(),
        false,
        Optional.empty());
  }
}
