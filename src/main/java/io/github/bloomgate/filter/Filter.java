package io.github.bloomgate.filter;

import io.github.bloomgate.hash.FilterShape;
import java.time.Instant;
import java.util.Optional;

/**
 * A filter as its first segment's state describes it.
 *
 * @param name its name
 * @param parameters what it was created with
 * @param generation which content it holds
 * @param revision how often its content or deadline changed; later segments follow it
 * @param pending what its later segments still have to follow
 * @param createdAt when it was created, by the service's clock
 * @param expiresAt when it vanishes with all its content, if ever
 */
public record Filter(
    FilterName name,
    FilterParameters parameters,
    Generation generation,
    long revision,
    Pending pending,
    Instant createdAt,
    Optional<Instant> expiresAt) {

  /** What the later segments of a filter still have to follow. */
  public enum Pending {
    /** Nothing: all are as they should be. */
    NOTHING,
    /** They are being made; the filter takes no elements yet. */
    CREATE,
    /** They are emptied one by one, or as soon as they are touched. */
    CLEAR,
    /** They are given a new deadline one by one. */
    EXPIRE
  }

  /** Segments, bits of each, hash functions. */
  public FilterShape shape() {
    return parameters.shape();
  }

  /** Whether elements can be added and tested. */
  public boolean isReady() {
    return pending != Pending.CREATE;
  }
}
