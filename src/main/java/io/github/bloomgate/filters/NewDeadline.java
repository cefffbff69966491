package io.github.bloomgate.filters;

import java.time.Instant;
import java.util.Optional;

/**
 * What becomes of a filter's deadline when its content is replaced.
 *
 * @param inMillis empty to keep what it has; else the new one in Unix milliseconds, 0 for none
 */
public record NewDeadline(Optional<Long> inMillis) {

  /** The deadline the filter has, or none if it has none. */
  public static final NewDeadline KEEP = new NewDeadline(Optional.empty());

  /** None from now on. */
  public static final NewDeadline NONE = new NewDeadline(Optional.of(0L));

  /** This one from now on. */
  public static NewDeadline at(Instant expiresAt) {
    return new NewDeadline(Optional.of(expiresAt.toEpochMilli()));
  }
}
