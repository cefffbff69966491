package io.github.bloomgate.http.request;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.time.Instant;

/** The parameters of a new filter. */
public final class CreateFilterRequest extends FilterChoice {

  /** A longer key is more likely a mistake. */
  public static final int MAX_KEY_LENGTH = 1024;

  @Size(min = 1, max = MAX_KEY_LENGTH, message = "must have {min} to {max} characters")
  public String redisKey;

  public boolean template;

  @Min(1)
  @Max(ExpiryRequest.MAX_TTL_SECONDS)
  public Long ttlSeconds;

  @JsonDeserialize(using = ExpiryRequest.MomentReader.class)
  public Instant expiresAt;

  @Min(ExpiryRequest.MIN_IDLE_SECONDS)
  @Max(ExpiryRequest.MAX_TTL_SECONDS)
  public Long idleSeconds;

  public boolean extendedByTests;

  /** The expiry of the filter, if any. */
  public ExpiryRequest expiry() {
    return new ExpiryRequest(ttlSeconds, expiresAt, idleSeconds, extendedByTests);
  }
}
