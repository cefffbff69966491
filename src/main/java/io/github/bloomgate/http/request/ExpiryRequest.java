package io.github.bloomgate.http.request;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Clock;
import java.time.Instant;

/** The expiry of a filter. */
public record ExpiryRequest(
    @Min(1) @Max(Deadline.MAX_TTL_SECONDS) Long ttlSeconds,
    @JsonDeserialize(using = Deadline.Reader.class) Instant expiresAt) {

  /**
   * The requested expiry.
   *
   * @throws BloomException INVALID_REQUEST unless exactly one is given
   */
  public Instant toInstant(Clock clock) {
    return Deadline.of(ttlSeconds, expiresAt, clock)
        .orElseThrow(
            () ->
                RequestErrors.invalid(
                    "The expiry is missing. Send ttlSeconds or expiresAt; DELETE removes an"
                        + " expiry."));
  }
}
