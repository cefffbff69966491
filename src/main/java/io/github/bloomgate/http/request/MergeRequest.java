package io.github.bloomgate.http.request;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.rebuild.MergeService;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.OptionalDouble;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The filters to be merged into another. */
@Schema(examples = "{\"from\": [\"users.backup\"], \"maxFalsePositiveProbability\": 0.02}")
public record MergeRequest(
    @Schema(description = "The names of the filters, each once; they stay as they are")
        @NotNull
        @Size(min = 1, max = MergeService.MAX_FILTERS)
        List<@NotNull @Pattern(regexp = FilterName.PATTERN) String> from,
    @Schema(
            description =
                "The highest `estimatedFalsePositiveProbability` the union may have, above 0. A"
                    + " union that exceeds it is refused with RATE_EXCEEDED, and nothing is"
                    + " changed. A filter with `whenFull` `reject` never exceeds its"
                    + " `falsePositiveProbability` in any case.",
            examples = "0.02")
        @DecimalMin(value = "0", inclusive = false)
        @DecimalMax("1")
        Double maxFalsePositiveProbability) {

  public List<FilterName> names() {
    return from.stream().map(FilterName::new).toList();
  }

  public OptionalDouble limit() {
    return maxFalsePositiveProbability == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(maxFalsePositiveProbability);
  }
}
