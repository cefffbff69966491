package io.github.bloomgate.http.request;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.github.bloomgate.model.FilterName;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;

/** The name of a copy, and its expiry. */
public record CopyRequest(
    @NotNull @Pattern(regexp = FilterName.PATTERN) String to,
    boolean replace,
    @Min(1) @Max(ExpiryRequest.MAX_TTL_SECONDS) Long ttlSeconds,
    @JsonDeserialize(using = ExpiryRequest.MomentReader.class) Instant expiresAt) {}
