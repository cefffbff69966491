package io.github.bloomgate.http.request;

import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;

/** The parameters of a rebuild. */
public record RebuildRequest(
    @Min(1) @Max(FilterParameters.MAX_EXPECTED_INSERTIONS) Long expectedInsertions,
    @DecimalMin("1e-12") @DecimalMax(value = "1", inclusive = false)
        Double falsePositiveProbability,
    @Min(1) @Max(FilterParameters.MAX_BIT_SIZE) Long bitSize,
    @Min(1) @Max(FilterParameters.MAX_HASH_FUNCTIONS) Integer numHashFunctions,
    String hashScheme,
    String elementCodec,
    WhenFull whenFull,
    @Min(1) @Max(Growth.MAX_FACTOR) Integer growthFactor,
    @Min(1) @Max(Growth.MAX_SIZE_BYTES) Long maxSizeBytes,
    @Valid WindowRequest window,
    @Min(Window.MIN_SLICES) @Max(Window.MAX_SLICES) Integer slices,
    Boolean refresh,
    @Min(1) @Max(MAX_TIMEOUT_SECONDS) Integer timeoutSeconds)
    implements OptionalBody {

  /** A week: a longer pause means that the loader has stopped. */
  public static final int MAX_TIMEOUT_SECONDS = 604_800;

  private static final int DEFAULT_TIMEOUT_SECONDS = 3_600;

  /**
   * The parameters of the next generation.
   *
   * @param usualBound the bound of a filter that grows, if none is given and it did not grow before
   */
  public FilterParameters toParameters(FilterParameters live, long usualBound) {
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
            null)
        .toParameters(live, usualBound);
  }

  public Duration idleTimeout() {
    return Duration.ofSeconds(timeoutSeconds == null ? DEFAULT_TIMEOUT_SECONDS : timeoutSeconds);
  }
}
