package io.github.bloomgate.filters;

import java.time.Instant;
import java.util.Optional;

/**
 * The expiry of a filter after its content is replaced.
 *
 * @param inMillis empty to keep the current one; otherwise the new one in Unix milliseconds, 0 for
 *     none
 */
public record NewDeadline(Optional<Long> inMillis) {

  /** Keeps the current expiry. */
  public static final NewDeadline KEEP = new NewDeadline(Optional.empty());

  /** Removes the expiry. */
  public static final NewDeadline NONE = new NewDeadline(Optional.of(0L));

  public static NewDeadline at(Instant expiresAt) {
    return new NewDeadline(Optional.of(expiresAt.toEpochMilli()));
  }
}
