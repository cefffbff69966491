package io.github.bloomgate.http.request;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** A moment given as a time to live or as a date. */
public final class Deadline {

  /** Ten years of 365 days: what lies beyond is more likely a mistaken unit. */
  public static final long MAX_TTL_SECONDS = 315_360_000L;

  private Deadline() {}

  /**
   * The moment meant by either value; empty if both are null.
   *
   * @throws BloomException INVALID_REQUEST if both are given, or the moment is past or too far off
   */
  public static Optional<Instant> of(Long ttlSeconds, Instant expiresAt, Clock clock) {
    // Redis counts milliseconds, and the answer shall show what is stored.
    var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    if (ttlSeconds != null && expiresAt != null) {
      throw RequestErrors.invalid(
          "ttlSeconds and expiresAt are two ways to say the same. Send only one of them.");
    }
    if (ttlSeconds != null) {
      return Optional.of(now.plusSeconds(ttlSeconds));
    }
    if (expiresAt == null) {
      return Optional.empty();
    }
    if (!expiresAt.isAfter(now) || Duration.between(now, expiresAt).toSeconds() > MAX_TTL_SECONDS) {
      throw RequestErrors.invalid(
          "expiresAt must lie in the future and within ten years; it is %s now. Send a later or an"
                  .formatted(now)
              + " earlier moment.");
    }
    return Optional.of(expiresAt.truncatedTo(ChronoUnit.MILLIS));
  }
}
