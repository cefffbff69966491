package io.github.bloomgate.http.answer;

import io.github.bloomgate.model.Counters;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** How often elements were added. */
@Schema(
    description = "How often elements were added at most",
    examples = "{\"counts\": [3, 0], \"countsUpTo\": 15}",
    requiredProperties = {"counts", "countsUpTo"})
public record CountResult(
    @Schema(
            description =
                "For each element, in order: how often it was added at most, less how often it was"
                    + " removed; 0 if it certainly is not there")
        int[] counts,
    @Schema(description = "A count as high as this stands for so many or more") int countsUpTo) {

  public static CountResult of(byte[] counts) {
    var numbers = new int[counts.length];
    for (var i = 0; i < numbers.length; i++) {
      numbers[i] = counts[i];
    }
    return new CountResult(numbers, Counters.MOST);
  }
}
