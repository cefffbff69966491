package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.filters.FilterPage;
import io.github.bloomgate.model.Filter;
import java.time.Instant;
import java.util.function.Function;

/** A filter in a list: its parameters, and its counts on request. */
public record FilterSummary(
    String name,
    FilterState state,
    String hashScheme,
    Long expectedInsertions,
    Double falsePositiveProbability,
    Long sizeBytes,
    Instant createdAt,
    Instant expiresAt,
    @JsonInclude(JsonInclude.Include.NON_NULL) FilterFigures figures) {

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
