package io.github.bloomgate.filters;

import java.util.List;
import java.util.Optional;

/**
 * A filter at one version of its state, as read from Redis and cached by this instance. Redis
 * refuses calls with an outdated version.
 *
 * @param live the generation that answers
 * @param next the generation that an open rebuild loads
 */
public record FoundFilter(Filter live, Optional<Filter> next) {

  /** The generations that an add goes to, the live one first. */
  public List<Filter> generations() {
    return next.map(open -> List.of(live, open)).orElseGet(() -> List.of(live));
  }

  /** The bytes of the larger generation, which count towards quotas. */
  public long sizeBytes() {
    return generations().stream().mapToLong(Filter::sizeBytes).max().orElseThrow();
  }

  /** The most hash functions of any layer. */
  public int mostHashFunctions() {
    var most = 0;
    for (var generation : generations()) {
      for (var layer : generation.layers()) {
        most = Math.max(most, layer.places().numHashFunctions());
      }
    }
    return most;
  }
}
