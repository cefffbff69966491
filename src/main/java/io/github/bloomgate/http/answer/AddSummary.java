package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What became of the elements of a stream. */
@Schema(
    examples = "{\"received\": 1000000, \"addedCount\": 999983}",
    requiredProperties = {"received", "addedCount"})
public record AddSummary(
    @Schema(description = "How many elements were received; all of them were added") long received,
    @Schema(description = "How many of them are certainly new") long addedCount,
    @Schema(description = AddResult.REPLICAS) @JsonInclude(JsonInclude.Include.NON_NULL)
        Integer replicas) {}
