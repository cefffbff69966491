package io.github.bloomgate.http.request;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
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
import jakarta.validation.constraints.Size;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The parameters of a filter to be created. */
@Schema(
    description =
        "Either `expectedInsertions` with `falsePositiveProbability`, or `bitSize` with"
            + " `numHashFunctions`.",
    examples = {
      "{\"expectedInsertions\": 1000000, \"falsePositiveProbability\": 0.01}",
      "{\"expectedInsertions\": 1000, \"falsePositiveProbability\": 0.01, \"whenFull\": \"grow\", \"growthFactor\": 2}",
      "{\"expectedInsertions\": 1000, \"falsePositiveProbability\": 0.01, \"counting\": true}"
    })
public record CreateFilterRequest(
    @Schema(description = "n: how many elements the filter shall hold", examples = "1000000")
        @Min(1)
        @Max(FilterParameters.MAX_EXPECTED_INSERTIONS)
        Long expectedInsertions,
    @Schema(
            description =
                "p: how likely, with n elements, an element never added is answered maybe; at most"
                    + " 0.5 with the native schemes, below 1 with those of libraries; 0.01 if"
                    + " neither it nor `bitSize` is given",
            examples = "0.01")
        @DecimalMin("1e-12")
        @DecimalMax(value = "1", inclusive = false)
        Double falsePositiveProbability,
    @Schema(
            description =
                "m: bits of the filter. With the native scheme divided into segments of at most 2^24"
                    + " bits, each rounded up to a multiple of 64; the answer shows the result.")
        @Min(1)
        @Max(FilterParameters.MAX_BIT_SIZE)
        Long bitSize,
    @Schema(
            description =
                "k: bits an element sets. May be left out with the schemes `go-zero` (14) and"
                    + " `scrapy-redis-bloomfilter` (6).")
        @Min(1)
        @Max(FilterParameters.MAX_HASH_FUNCTIONS)
        Integer numHashFunctions,
    @Schema(ref = ApiDefinition.HASH_SCHEME, description = "`bloomgate-1` if not given")
        String hashScheme,
    @Schema(
            description = ApiDefinition.ELEMENT_CODEC,
            enumeration = {"string", "kryo5"})
        String elementCodec,
    @Schema(
            description =
                "Adopt the bitmap that the library of `hashScheme` keeps under this Redis key, or"
                    + " create one there that it can open: both then read and write the same bits."
                    + " With `redisson` the parameters may be left out; they are read from its"
                    + " config hash.",
            examples = "coupons:used")
        @Size(min = 1, max = MAX_KEY_LENGTH)
        String redisKey,
    @Schema(
            description =
                "What happens to new elements once the filter holds n: `accept`, which it is if not"
                    + " given, takes them at a rising false-positive rate; `reject` answers"
                    + " FILTER_FULL; `grow` opens another layer, with which the rate stays within p")
        WhenFull whenFull,
    @Schema(description = ParameterChoice.GROWTH_FACTOR) @Min(1) @Max(Growth.MAX_FACTOR)
        Integer growthFactor,
    @Schema(description = ParameterChoice.MAX_SIZE_BYTES, examples = "1073741824")
        @Min(1)
        @Max(Growth.MAX_SIZE_BYTES)
        Long maxSizeBytes,
    @Schema(
            description =
                "Elements are remembered for so long, and forgotten at most one slice later."
                    + " `expectedInsertions` are those that come within it; with `insertions` they"
                    + " are known. Elements are to spread evenly over the slices.")
        @Valid
        WindowRequest window,
    @Schema(
            description =
                "With `window`: into how many slices it is cut, 8 if not given. More of them forget"
                    + " more exactly, and need more memory and time for an element")
        @Min(Window.MIN_SLICES)
        @Max(Window.MAX_SLICES)
        Integer slices,
    @Schema(
            description =
                "With `window`: whether an element that is added again is remembered for a whole"
                    + " window again, as it is if not given; else it keeps its age")
        Boolean refresh,
    @Schema(
            description =
                "Whether elements can be removed: the filter then has counters of 4 bits in place of"
                    + " bits, and takes four times the memory")
        Boolean counting,
    @Schema(description = Deadline.TTL_DESCRIPTION, examples = "86400")
        @Min(1)
        @Max(Deadline.MAX_TTL_SECONDS)
        Long ttlSeconds,
    @Schema(description = Deadline.AT_DESCRIPTION)
        @JsonDeserialize(using = MomentDeserializer.class)
        Instant expiresAt) {

  /** A longer key is more likely a mistake. */
  public static final int MAX_KEY_LENGTH = 1024;

  /** The choice of parameters. */
  public ParameterChoice parameters() {
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
        new ContentChoice(new WindowChoice(window, slices, refresh), counting));
  }
}
