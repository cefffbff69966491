package io.github.bloomgate.filters;

import io.github.bloomgate.model.IdleExpiry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A filter at one version of its state, as read from Redis and cached by this instance. Redis
 * refuses calls with an outdated version.
 *
 * @param live the generation that answers
 * @param next the generation that an open rebuild loads
 * @param idle how use postpones its expiry, if it does
 * @param dueAt when the next use must postpone it, by the clock of this instance
 */
public record Filter(
    Generation live,
    Optional<Generation> next,
    Optional<IdleExpiry> idle,
    Optional<Instant> dueAt) {

  /** A filter whose expiry does not depend on use. */
  public Filter(Generation live, Optional<Generation> next) {
    this(live, next, Optional.empty(), Optional.empty());
  }

  Filter withDueAt(Optional<Instant> time) {
    return new Filter(live, next, live.idle(), time);
  }

  /** Its open rebuild alone, whose use is use of the filter. */
  public Optional<Filter> ofNext() {
    return next.map(open -> new Filter(open, Optional.empty(), idle, dueAt));
  }

  /**
   * Whether a use at this time must postpone its expiry.
   *
   * @param isChange whether elements are added or removed, not only tested
   */
  boolean isDue(Instant now, boolean isChange) {
    return dueAt.isPresent()
        && idle.filter(some -> isChange || some.byTests())
            .filter(some -> some.isDue(dueAt.get(), now))
            .isPresent();
  }

  /** The generations that an add goes to, the live one first. */
  public List<Generation> generations() {
    return next.map(open -> List.of(live, open)).orElseGet(() -> List.of(live));
  }

  /** The bytes of the larger generation, which count towards quotas. */
  public long sizeBytes() {
    return generations().stream().mapToLong(Generation::sizeBytes).max().orElseThrow();
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
