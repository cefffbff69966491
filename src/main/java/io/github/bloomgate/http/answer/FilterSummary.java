package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.filters.FilterPage;
import io.github.bloomgate.model.Filter;
import java.time.Instant;
import java.util.function.Function;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A filter in a list: what it was created with, and its counts only if asked for. */
@Schema(
    description = "A filter without its exact counts. All but `name` is null if it is `damaged`.",
    requiredProperties = {
      "name",
      "state",
      "hashScheme",
      "expectedInsertions",
      "falsePositiveProbability",
      "sizeBytes",
      "createdAt",
      "expiresAt"
    })
public record FilterSummary(
    @Schema(description = "Its name", examples = "users") String name,
    @Schema(description = "Whether it takes and answers elements") FilterState state,
    @Schema(description = "The rule from elements to bits", nullable = true) String hashScheme,
    @Schema(description = "n: how many elements it was sized for; before it grew", nullable = true)
        Long expectedInsertions,
    @Schema(description = "p: promised as long as it holds no more than n", nullable = true)
        Double falsePositiveProbability,
    @Schema(description = "Bytes the bitmaps take in Redis", nullable = true) Long sizeBytes,
    @Schema(description = "When it was created", nullable = true) Instant createdAt,
    @Schema(description = "When it vanishes; null for never", nullable = true) Instant expiresAt,
    @Schema(description = "How it is at a glance; only if asked for, and missing if it is damaged")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        FilterFigures figures) {

  public static FilterSummary of(FilterPage.Entry entry) {
    var filter = entry.filter();
    return new FilterSummary(
        entry.name().value(),
        filter.isPresent() ? FilterState.READY : FilterState.DAMAGED,
        orNull(entry, found -> found.parameters().hashScheme().id()),
        orNull(entry, found -> found.parameters().expectedInsertions()),
        orNull(entry, found -> found.parameters().falsePositiveProbability()),
        orNull(entry, Filter::sizeBytes),
        orNull(entry, Filter::createdAt),
        filter.flatMap(Filter::expiresAt).orElse(null),
        entry
            .figures()
            .map(figures -> FilterFigures.of(filter.orElseThrow(), figures))
            .orElse(null));
  }

  private static <T> T orNull(FilterPage.Entry entry, Function<Filter, T> value) {
    return entry.filter().map(value).orElse(null);
  }
}
