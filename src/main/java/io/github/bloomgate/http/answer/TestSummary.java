package io.github.bloomgate.http.answer;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What a filter says of the elements of a stream. */
@Schema(
    examples = "{\"received\": 1000000, \"mightContainCount\": 17}",
    requiredProperties = {"received", "mightContainCount"})
public record TestSummary(
    @Schema(description = "How many elements were received; all of them were tested") long received,
    @Schema(description = "How many of them the filter might contain") long mightContainCount) {}
