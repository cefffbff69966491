package io.github.bloomgate.http.answer;

import io.github.bloomgate.filters.CountingSizing;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What counters cost, beside bits. */
@Schema(
    name = "CountingSizing",
    description =
        "How many counters the filter has, and what one would take from which nothing can be removed",
    requiredProperties = {"counters", "fixedSizeBytes", "timesFixedSize"})
public record CountingSizingView(
    @Schema(description = "How many counters, of 4 bits each") long counters,
    @Schema(
            description =
                "Bytes the bitmaps of a filter without counters would take for the same"
                    + " `expectedInsertions` and rate")
        long fixedSizeBytes,
    @Schema(description = "`sizeBytes` / `fixedSizeBytes`") double timesFixedSize) {

  static CountingSizingView of(CountingSizing sizing) {
    var fixed = sizing.fixed().sizeBytes();
    return new CountingSizingView(
        sizing.counters(), fixed, (double) sizing.parameters().shape().sizeBytes() / fixed);
  }
}
