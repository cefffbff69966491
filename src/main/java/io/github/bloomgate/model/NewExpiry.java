package io.github.bloomgate.model;

import java.time.Instant;
import java.util.Optional;

/**
 * The expiry that a filter gets: at a time, when it is idle, or none.
 *
 * @param isKept whether the current one stays; if it depends on use, replacing the content is use
 * @param expiresAt the time; empty for none, or for a time that depends on use
 */
public record NewExpiry(boolean isKept, Optional<Instant> expiresAt, Optional<IdleExpiry> idle) {

  public static final NewExpiry KEEP = new NewExpiry(true, Optional.empty(), Optional.empty());

  public static final NewExpiry NONE = of(Optional.empty());

  public static NewExpiry of(Optional<Instant> expiresAt) {
    return new NewExpiry(false, expiresAt, Optional.empty());
  }

  public static NewExpiry at(Instant expiresAt) {
    return of(Optional.of(expiresAt));
  }

  public static NewExpiry whenIdle(IdleExpiry idle) {
    return new NewExpiry(false, Optional.empty(), Optional.of(idle));
  }

  /** The expiry of a filter that is created now. */
  public Optional<Instant> from(Instant now) {
    return idle.map(its -> now.plus(its.postponed())).or(() -> expiresAt);
  }
}
