package io.github.bloomgate.http.request;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Clock;
import java.time.Instant;

/** When a filter shall vanish. */
public record ExpiryRequest(
    @Min(1) @Max(Deadline.MAX_TTL_SECONDS) Long ttlSeconds,
    @JsonDeserialize(using = MomentDeserializer.class) Instant expiresAt) {

  /**
   * The moment asked for.
   *
   * @throws BloomException INVALID_REQUEST if there is none, or not one
   */
  public Instant toInstant(Clock clock) {
    return Deadline.of(ttlSeconds, expiresAt, clock)
        .orElseThrow(
            () ->
                RequestErrors.invalid(
                    "The deadline is missing. Send ttlSeconds or expiresAt; DELETE removes a"
                        + " deadline."));
  }
}
