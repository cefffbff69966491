package io.github.bloomgate.http.answer;

import io.github.bloomgate.filters.FilterPage;
import io.github.bloomgate.http.request.Cursor;
import java.util.List;

/** A page of filters. */
public record FilterListView(List<FilterSummary> filters, String nextCursor) {

  public static FilterListView of(FilterPage page) {
    return new FilterListView(
        page.entries().stream().map(FilterSummary::of).toList(),
        page.next().map(Cursor::of).orElse(null));
  }
}
