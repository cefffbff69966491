package io.github.bloomgate.http.answer;

import io.github.bloomgate.filters.FilterPage;
import io.github.bloomgate.http.request.Cursor;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A page of filters. */
@Schema(
    name = "FilterPage",
    description = "Filters in the order of their names",
    requiredProperties = {"filters", "nextCursor"})
public record FilterListView(
    @Schema(description = "At most as many as asked for; may be fewer while others expire")
        List<FilterSummary> filters,
    @Schema(
            description = "Send it as `cursor` to get the next page; null on the last one",
            nullable = true)
        String nextCursor) {

  public static FilterListView of(FilterPage page) {
    return new FilterListView(
        page.entries().stream().map(FilterSummary::of).toList(),
        page.next().map(Cursor::of).orElse(null));
  }
}
