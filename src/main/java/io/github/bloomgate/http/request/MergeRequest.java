package io.github.bloomgate.http.request;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.rebuild.MergeService;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.OptionalDouble;

/** The filters to merge into another. */
public record MergeRequest(
    @NotNull
        @Size(min = 1, max = MergeService.MAX_FILTERS, message = "must have {min} to {max} names")
        @JsonDeserialize(using = TextsDeserializer.OfNames.class)
        List<@NotNull @Pattern(regexp = FilterName.PATTERN) String> from,
    @DecimalMin(value = "0", inclusive = false) @DecimalMax("1")
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
