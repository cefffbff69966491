package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.filters.RebuildDescription;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A rebuild that is open. */
@Schema(
    name = "Rebuild",
    description = "A rebuild that is open: what will replace the filter's content, and what it has",
    requiredProperties = {
      "id",
      "state",
      "hashScheme",
      "expectedInsertions",
      "falsePositiveProbability",
      "bitSize",
      "numHashFunctions",
      "segments",
      "sizeBytes",
      "whenFull",
      "elementsReceived",
      "insertions",
      "bitsSet",
      "fillRatio",
      "approximateElementCount",
      "estimatedFalsePositiveProbability",
      "generation",
      "openedAt",
      "elapsedSeconds",
      "timeoutSeconds",
      "abandonedAt"
    })
public record RebuildView(
    @Schema(description = "Tells this rebuild from others of the filter, earlier and later")
        String id,
    @Schema(
            description =
                "`open`. Read your source from now on: every add to the filter goes to the rebuild"
                    + " as well")
        RebuildState state,
    @Schema(description = "The rule from elements to bits") String hashScheme,
    @Schema(description = "n: how many elements it was sized for") long expectedInsertions,
    @Schema(description = "p: promised as long as it holds no more than n")
        double falsePositiveProbability,
    @Schema(description = "m: bits of all segments") long bitSize,
    @Schema(description = "k: bits an element sets") int numHashFunctions,
    @Schema(description = "How many bitmaps it consists of") int segments,
    @Schema(description = "Bytes the bitmaps take in Redis, beside those of the filter")
        long sizeBytes,
    @Schema(description = "What happens to new elements beyond n") WhenFull whenFull,
    @Schema(description = "If it has a window: for how long it remembers elements; else missing")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        WindowView window,
    @Schema(description = "If it has a window: into how many slices it is cut; else missing")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        Integer slices,
    @Schema(
            description =
                "If it has a window: whether an element that is added again is remembered for a"
                    + " whole window again; else missing")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        Boolean refresh,
    @Schema(
            description =
                "Elements loaded into it; adds to the filter that went to it as well not counted")
        long elementsReceived,
    @Schema(description = "Loads and adds that changed a bit") long insertions,
    @Schema(description = "Bits that are 1") long bitsSet,
    @Schema(description = "Share of bits that are 1; at n elements about a half") double fillRatio,
    @Schema(
            description =
                "Estimate of how many distinct elements it holds, from the bits alone; null when a"
                    + " segment is saturated",
            nullable = true)
        Long approximateElementCount,
    @Schema(description = "How likely an element it does not hold is answered maybe")
        double estimatedFalsePositiveProbability,
    @Schema(description = "The filter's `generation` once it is committed") long generation,
    @Schema(description = "When it was opened") Instant openedAt,
    @Schema(description = "Seconds since then") double elapsedSeconds,
    @Schema(description = "Seconds without a load after which it is aborted") long timeoutSeconds,
    @Schema(description = "When it will be aborted unless more is loaded") Instant abandonedAt) {

  public static RebuildView of(RebuildDescription description) {
    var rebuild = description.rebuild();
    var next = rebuild.next();
    var parameters = next.parameters();
    var statistics = description.statistics();
    var elements = statistics.approximateElementCount();
    return new RebuildView(
        next.generation().incarnation(),
        RebuildState.OPEN,
        parameters.hashScheme().id(),
        parameters.expectedInsertions(),
        parameters.falsePositiveProbability(),
        next.bitSize(),
        next.shape().numHashFunctions(),
        next.segments(),
        next.sizeBytes(),
        parameters.whenFull(),
        parameters.window().map(window -> WindowView.of(window, next.segments())).orElse(null),
        parameters.window().map(Window::slices).orElse(null),
        parameters.window().map(Window::refresh).orElse(null),
        rebuild.elementsReceived(),
        statistics.insertions(),
        statistics.bitsSet(),
        statistics.fillRatio(),
        elements.isPresent() ? elements.getAsLong() : null,
        statistics.estimatedFalsePositiveProbability(),
        next.generation().number(),
        rebuild.openedAt(),
        description.elapsed().toMillis() / 1000.0,
        rebuild.patience().toSeconds(),
        rebuild.abandonedAt());
  }
}
