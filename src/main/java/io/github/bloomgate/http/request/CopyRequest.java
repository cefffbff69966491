package io.github.bloomgate.http.request;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.github.bloomgate.model.FilterName;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The name a copy shall get, and its deadline. */
@Schema(
    description = "Without a deadline the copy has that of the filter, or none if it has none.",
    examples = "{\"to\": \"users.backup\", \"replace\": false}")
public record CopyRequest(
    @Schema(description = "The name of the copy") @NotNull @Pattern(regexp = FilterName.PATTERN)
        String to,
    @Schema(
            description = "Whether a filter that bears this name is replaced by the copy",
            defaultValue = "false")
        Boolean replace,
    @Schema(description = Deadline.TTL_DESCRIPTION) @Min(1) @Max(Deadline.MAX_TTL_SECONDS)
        Long ttlSeconds,
    @Schema(description = Deadline.AT_DESCRIPTION)
        @JsonDeserialize(using = MomentDeserializer.class)
        Instant expiresAt) {

  public boolean replaces() {
    return Boolean.TRUE.equals(replace);
  }
}
