package io.github.bloomgate.http.request;

import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Window;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** For how long a filter remembers its elements. */
@Schema(
    description = "For how long elements are remembered: one of both",
    examples = "{\"seconds\": 86400}")
public record WindowRequest(
    @Schema(description = "An element is remembered for at least so many seconds")
        @Min(1)
        @Max(Window.MAX_SECONDS)
        Long seconds,
    @Schema(description = "An element is remembered while at least so many others are added")
        @Min(1)
        @Max(FilterParameters.MAX_EXPECTED_INSERTIONS)
        Long insertions) {}
