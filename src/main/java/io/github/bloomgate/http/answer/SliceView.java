package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.model.SliceStatistics;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A part of what a window remembers. */
@Schema(
    name = "Slice",
    description =
        "A part of what a window remembers: elements that came one after the other. It ends with a"
            + " slice of the window, or when it has its part of n elements",
    requiredProperties = {"elements", "bitsSet", "fillRatio"})
public record SliceView(
    @Schema(
            description =
                "When it began, by the clock of Redis; missing with a window by insertions")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        Instant openedAt,
    @Schema(
            description =
                "When it takes or took its last element at the latest. It is forgotten a window"
                    + " later. Missing with a window by insertions")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        Instant closesAt,
    @Schema(description = "How many elements were added in it, new ones and refreshed ones")
        long elements,
    @Schema(description = "Bits that are 1, exact") long bitsSet,
    @Schema(
            description =
                "Share of bits that are 1; about a half when it has its part of n elements")
        double fillRatio) {

  static SliceView of(SliceStatistics slice) {
    return new SliceView(
        slice.openedAt().orElse(null),
        slice.closesAt().orElse(null),
        slice.elements(),
        slice.bitsSet(),
        slice.fillRatio());
  }
}
