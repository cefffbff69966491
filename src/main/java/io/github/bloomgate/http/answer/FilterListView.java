package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.filters.FilterOrder;
import io.github.bloomgate.filters.FilterPage;
import io.github.bloomgate.http.request.Cursor;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A page of filters. */
@Schema(
    name = "FilterPage",
    description = "Filters in the order that was asked for",
    requiredProperties = {"filters", "nextCursor"})
public record FilterListView(
    @Schema(description = "At most as many as asked for; may be fewer while others expire")
        List<FilterSummary> filters,
    @Schema(
            description = "Send it as `cursor` to get the next page; null on the last one",
            nullable = true)
        String nextCursor,
    @Schema(
            description =
                "When the figures were read by which the filters stand in this order; only if that"
                    + " is more than two seconds ago, as with thousands of filters")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        Instant orderedAt) {

  public static FilterListView of(FilterOrder order, FilterPage page) {
    return new FilterListView(
        page.entries().stream().map(FilterSummary::of).toList(),
        page.next().map(place -> Cursor.of(order, place)).orElse(null),
        page.orderedAt().orElse(null));
  }
}
