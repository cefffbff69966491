package io.github.bloomgate.http.request;

import io.github.bloomgate.model.FilterName;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The name a filter shall get. */
@Schema(examples = "{\"to\": \"customers\", \"replace\": false}")
public record RenameRequest(
    @Schema(description = "The new name") @NotNull @Pattern(regexp = FilterName.PATTERN) String to,
    @Schema(
            description = "Whether a filter that bears the new name is dropped for this one",
            defaultValue = "false")
        Boolean replace) {

  public boolean replaces() {
    return Boolean.TRUE.equals(replace);
  }
}
