package io.github.bloomgate.http.request;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.time.Instant;

/** The parameters of a new filter. */
public record CreateFilterRequest(
    @Min(1) @Max(FilterParameters.MAX_EXPECTED_INSERTIONS) Long expectedInsertions,
    @DecimalMin("1e-12") @DecimalMax(value = "1", inclusive = false)
        Double falsePositiveProbability,
    @Min(1) @Max(FilterParameters.MAX_BIT_SIZE) Long bitSize,
    @Min(1) @Max(FilterParameters.MAX_HASH_FUNCTIONS) Integer numHashFunctions,
    String hashScheme,
    String elementCodec,
    @Size(min = 1, max = MAX_KEY_LENGTH) String redisKey,
    WhenFull whenFull,
    @Min(1) @Max(Growth.MAX_FACTOR) Integer growthFactor,
    @Min(1) @Max(Growth.MAX_SIZE_BYTES) Long maxSizeBytes,
    @Valid WindowRequest window,
    @Min(Window.MIN_SLICES) @Max(Window.MAX_SLICES) Integer slices,
    Boolean refresh,
    Boolean counting,
    @Min(1) @Max(Deadline.MAX_TTL_SECONDS) Long ttlSeconds,
    @JsonDeserialize(using = MomentDeserializer.class) Instant expiresAt) {

  /** A longer key is more likely a mistake. */
  public static final int MAX_KEY_LENGTH = 1024;

  public FilterChoice parameters() {
    return new FilterChoice(
        expectedInsertions,
        falsePositiveProbability,
        bitSize,
        numHashFunctions,
        hashScheme,
        elementCodec,
        whenFull,
        growthFactor,
        maxSizeBytes,
        window,
        slices,
        refresh,
        counting);
  }
}
