package io.github.bloomgate.model;

import java.time.Instant;
import java.util.Optional;

/**
 * The expiry of a filter after its content is replaced.
 *
 * @param isKept whether the current one stays
 * @param expiresAt the new one; empty for none
 */
public record NewExpiry(boolean isKept, Optional<Instant> expiresAt) {

  public static final NewExpiry KEEP = new NewExpiry(true, Optional.empty());

  public static final NewExpiry NONE = new NewExpiry(false, Optional.empty());

  public static NewExpiry at(Instant expiresAt) {
    return new NewExpiry(false, Optional.of(expiresAt));
  }
}
