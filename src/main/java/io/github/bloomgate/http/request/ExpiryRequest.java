package io.github.bloomgate.http.request;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Clock;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** When a filter shall vanish. */
@Schema(description = "Either `ttlSeconds` or `expiresAt`.", examples = "{\"ttlSeconds\": 86400}")
public record ExpiryRequest(
    @Schema(description = Deadline.TTL_DESCRIPTION) @Min(1) @Max(Deadline.MAX_TTL_SECONDS)
        Long ttlSeconds,
    @Schema(description = Deadline.AT_DESCRIPTION)
        @JsonDeserialize(using = MomentDeserializer.class)
        Instant expiresAt) {

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
