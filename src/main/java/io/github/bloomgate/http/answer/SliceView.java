package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.model.SliceStatistics;
import java.time.Instant;

/** A slice of a window. */
public record SliceView(
    @JsonInclude(JsonInclude.Include.NON_NULL) Instant openedAt,
    @JsonInclude(JsonInclude.Include.NON_NULL) Instant closesAt,
    long elements,
    long bitsSet,
    double fillRatio) {

  static SliceView of(SliceStatistics slice) {
    return new SliceView(
        slice.openedAt().orElse(null),
        slice.closesAt().orElse(null),
        slice.elements(),
        slice.bitsSet(),
        slice.fillRatio());
  }
}
