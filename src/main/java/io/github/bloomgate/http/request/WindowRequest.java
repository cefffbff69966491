package io.github.bloomgate.http.request;

import io.github.bloomgate.http.contract.Query;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Window;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

/** The window of a filter. */
public record WindowRequest(
    @Min(1) @Max(Window.MAX_SECONDS) Long seconds,
    @Min(1) @Max(FilterParameters.MAX_EXPECTED_INSERTIONS) Long insertions) {

  /** The window in a query; null if it has none. */
  static WindowRequest of(Query query) {
    var seconds = query.whole("windowSeconds").orElse(null);
    var insertions = query.whole("windowInsertions").orElse(null);
    return seconds == null && insertions == null ? null : new WindowRequest(seconds, insertions);
  }
}
