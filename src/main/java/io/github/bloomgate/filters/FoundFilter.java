package io.github.bloomgate.filters;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.store.FilterState;
import io.github.bloomgate.store.NextState;
import java.util.Optional;

/**
 * A filter as read from Redis.
 *
 * @param filter the live generation
 * @param state its state
 * @param next the generation that an open rebuild loads
 * @param view both generations in the form that element requests use
 */
public record FoundFilter(Filter filter, FilterState state, Optional<Next> next, FilterView view) {

  /** The bytes of the larger generation, which count towards quotas. */
  public long sizeBytes() {
    return view.generations().stream()
        .mapToLong(generation -> generation.filter().sizeBytes())
        .max()
        .orElseThrow();
  }

  /** The generation that an open rebuild loads. */
  public record Next(Filter filter, NextState state) {}
}
