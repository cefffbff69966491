package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.filters.CountingSizing;
import io.github.bloomgate.filters.GrowthSizing;
import io.github.bloomgate.filters.SizingAnswer;
import io.github.bloomgate.filters.WindowSizing;
import io.github.bloomgate.http.openapi.ApiDefinition;
import io.github.bloomgate.model.FilterParameters;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Parameters that fit together, and what they cost. */
@Schema(
    name = "Sizing",
    description = "Parameters of a filter that fit together, and what it would take",
    examples = {SizingView.EXAMPLE, SizingView.WINDOW_EXAMPLE},
    requiredProperties = {
      "hashScheme",
      "schemeWarning",
      "expectedInsertions",
      "falsePositiveProbability",
      "bitSize",
      "numHashFunctions",
      "segments",
      "sizeBytes",
      "bitsPerElement"
    })
public record SizingView(
    @Schema(ref = ApiDefinition.HASH_SCHEME) String hashScheme,
    @Schema(
            description =
                "That the scheme does not keep this rate, and by how much it misses it; null if it"
                    + " does",
            nullable = true)
        String schemeWarning,
    @Schema(description = "n: how many elements it holds; before it grows, and within a window")
        long expectedInsertions,
    @Schema(description = "p: the false-positive rate when it is full, after rounding")
        double falsePositiveProbability,
    @Schema(description = "m: bits of all segments, rounded as the filter would have them")
        long bitSize,
    @Schema(description = "k: bits an element sets; of the first layer, if it grows")
        int numHashFunctions,
    @Schema(description = "How many bitmaps it would consist of") int segments,
    @Schema(description = "Bytes the bitmaps would take in Redis") long sizeBytes,
    @Schema(description = "m / n; if it grows m / `growsTo`") double bitsPerElement,
    @Schema(description = "With `whenFull=grow`: how it grows; else missing")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        GrowthSizingView growth,
    @Schema(description = "With a window: what it costs; else missing")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        WindowSizingView window,
    @Schema(description = "With `counting`: what it costs; else missing")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        CountingSizingView counting) {

  static final String EXAMPLE =
      """
      {"hashScheme": "bloomgate-1", "schemeWarning": null, "expectedInsertions": 1000000,
       "falsePositiveProbability": 0.010039079267064526, "bitSize": 9585088, "numHashFunctions": 7, "segments": 1,
       "sizeBytes": 1198136, "bitsPerElement": 9.585088}\
      """;

  static final String WINDOW_EXAMPLE =
      """
      {"hashScheme": "bloomgate-1", "schemeWarning": null, "expectedInsertions": 1000000,
       "falsePositiveProbability": 0.009961506047096813, "bitSize": 23356416,
       "numHashFunctions": 11, "segments": 2, "sizeBytes": 2919552, "bitsPerElement": 23.356416,
       "window": {
         "remembered": {
           "seconds": 86400, "rememberedAtLeastSeconds": 86400, "rememberedAtMostSeconds": 97200},
         "slices": 8, "rings": 24, "fixedSizeBytes": 1198136, "timesFixedSize": 2.43674}}\
      """;

  public static SizingView of(SizingAnswer answer) {
    var shape = answer.shape();
    return new SizingView(
        answer.scheme().id(),
        answer.schemeWarning().orElse(null),
        answer.expectedInsertions(),
        answer.falsePositiveProbability(),
        shape.bitSize(),
        shape.numHashFunctions(),
        shape.segments(),
        shape.sizeBytes(),
        (double) shape.bitSize() / answer.expectedInsertions(),
        null,
        null,
        null);
  }

  /** Of a filter that has grown. */
  public static SizingView of(GrowthSizing sizing) {
    var parameters = sizing.parameters();
    return new SizingView(
        parameters.hashScheme().id(),
        parameters.schemeWarning().orElse(null),
        parameters.expectedInsertions(),
        sizing.falsePositiveProbability(),
        sizing.bitSize(),
        parameters.shape().numHashFunctions(),
        sizing.segments(),
        sizing.sizeBytes(),
        (double) sizing.bitSize() / sizing.growsTo(),
        GrowthSizingView.of(sizing),
        null,
        null);
  }

  /** Of a filter with a window. */
  public static SizingView of(WindowSizing sizing) {
    return of(
        sizing.parameters(), sizing.falsePositiveProbability(), WindowSizingView.of(sizing), null);
  }

  /** Of a filter that counts. */
  public static SizingView of(CountingSizing sizing) {
    return of(
        sizing.parameters(),
        sizing.falsePositiveProbability(),
        null,
        CountingSizingView.of(sizing));
  }

  private static SizingView of(
      FilterParameters parameters,
      double falsePositiveProbability,
      WindowSizingView window,
      CountingSizingView counting) {
    var shape = parameters.shape();
    return new SizingView(
        parameters.hashScheme().id(),
        parameters.schemeWarning().orElse(null),
        parameters.expectedInsertions(),
        falsePositiveProbability,
        shape.bitSize(),
        shape.numHashFunctions(),
        shape.segments(),
        shape.sizeBytes(),
        (double) shape.bitSize() / parameters.expectedInsertions(),
        null,
        window,
        counting);
  }
}
