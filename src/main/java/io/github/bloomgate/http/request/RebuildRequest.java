package io.github.bloomgate.http.request;

import io.github.bloomgate.http.openapi.ApiDefinition;
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
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What shall replace a filter's content. */
@Schema(
    description =
        "The parameters of the next generation. Those not given stay as they are; the size is given"
            + " by `expectedInsertions` and `falsePositiveProbability`, or by `bitSize` and"
            + " `numHashFunctions`.",
    examples = "{\"expectedInsertions\": 2000000}")
public record RebuildRequest(
    @Schema(description = "n: how many elements it shall hold")
        @Min(1)
        @Max(FilterParameters.MAX_EXPECTED_INSERTIONS)
        Long expectedInsertions,
    @Schema(description = "p: how likely, with n elements, one never added is answered maybe")
        @DecimalMin("1e-12")
        @DecimalMax(value = "1", inclusive = false)
        Double falsePositiveProbability,
    @Schema(description = "m: bits, rounded up as for a new filter")
        @Min(1)
        @Max(FilterParameters.MAX_BIT_SIZE)
        Long bitSize,
    @Schema(description = "k: bits an element sets")
        @Min(1)
        @Max(FilterParameters.MAX_HASH_FUNCTIONS)
        Integer numHashFunctions,
    @Schema(ref = ApiDefinition.HASH_SCHEME) String hashScheme,
    @Schema(
            description = ApiDefinition.ELEMENT_CODEC,
            enumeration = {"string", "kryo5"})
        String elementCodec,
    @Schema(description = "What happens to new elements beyond n") WhenFull whenFull,
    @Schema(description = ParameterChoice.GROWTH_FACTOR) @Min(1) @Max(Growth.MAX_FACTOR)
        Integer growthFactor,
    @Schema(description = ParameterChoice.MAX_SIZE_BYTES, examples = "1073741824")
        @Min(1)
        @Max(Growth.MAX_SIZE_BYTES)
        Long maxSizeBytes,
    @Schema(description = "For how long elements are remembered; what is loaded is new then") @Valid
        WindowRequest window,
    @Schema(description = "With a window: into how many slices it is cut")
        @Min(Window.MIN_SLICES)
        @Max(Window.MAX_SLICES)
        Integer slices,
    @Schema(
            description =
                "With a window: whether an element that is added again is remembered for a whole"
                    + " window again")
        Boolean refresh,
    @Schema(
            description =
                "After how many seconds without a load it counts as abandoned and is aborted",
            defaultValue = "3600")
        @Min(1)
        @Max(MAX_TIMEOUT_SECONDS)
        Integer timeoutSeconds)
    implements OptionalBody {

  /** A week: what takes longer to go on is not going on. */
  public static final int MAX_TIMEOUT_SECONDS = 604_800;

  private static final int DEFAULT_TIMEOUT_SECONDS = 3_600;

  /** For a request without a body: everything as it is. */
  public static final RebuildRequest SAME =
      new RebuildRequest(
          null, null, null, null, null, null, null, null, null, null, null, null, null);

  /**
   * The parameters of the next generation.
   *
   * @param usualBound the bound of a filter that grows, if none is given and it did not grow before
   */
  public FilterParameters toParameters(FilterParameters live, long usualBound) {
    return new ParameterChoice(
            expectedInsertions,
            falsePositiveProbability,
            bitSize,
            numHashFunctions,
            hashScheme,
            elementCodec,
            whenFull,
            growthFactor,
            maxSizeBytes,
            new ContentChoice(new WindowChoice(window, slices, refresh), null))
        .toParameters(live, usualBound);
  }

  public Duration patience() {
    return Duration.ofSeconds(timeoutSeconds == null ? DEFAULT_TIMEOUT_SECONDS : timeoutSeconds);
  }
}
