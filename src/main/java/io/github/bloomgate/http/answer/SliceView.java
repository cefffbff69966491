package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.model.SliceStatistics;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** One slice of a window that is remembered. */
@Schema(
    name = "Slice",
    description = "One slice of a window that is remembered",
    requiredProperties = {"bitsSet", "fillRatio", "approximateElementCount"})
public record SliceView(
    @Schema(
            description =
                "When it began, by the clock of Redis; missing if slices end by insertions")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        Instant openedAt,
    @Schema(description = "Bits that are 1, exact") long bitsSet,
    @Schema(
            description =
                "Share of bits that are 1; about a half when it has its part of n elements")
        double fillRatio,
    @Schema(
            description =
                "Estimate of how many elements were added in it, new ones and refreshed ones, from"
                    + " the bits alone; null when it is saturated",
            nullable = true)
        Long approximateElementCount) {

  static SliceView of(SliceStatistics slice) {
    return new SliceView(
        slice.openedAt().orElse(null),
        slice.bitsSet(),
        slice.fillRatio(),
        slice.approximateElementCount().isPresent()
            ? slice.approximateElementCount().getAsLong()
            : null);
  }
}
