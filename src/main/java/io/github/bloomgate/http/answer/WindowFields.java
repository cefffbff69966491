package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.model.SliceStatistics;
import java.util.List;

/** The fields of a filter with a window, or of its next generation. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WindowFields(
    WindowView window,
    int slices,
    boolean refresh,
    List<SliceStatistics> liveSlices,
    String windowWarning) {

  private static final String OVERFULL =
      "A window had more than %d elements, so the false-positive rate may be above %s. Rebuild the filter with more expectedInsertions.";

  /**
   * The fields of a generation; null if it has no window.
   *
   * @param slices null for a next generation, which has none yet
   */
  static WindowFields of(Filter filter, List<SliceStatistics> slices, boolean isOverfull) {
    var parameters = filter.parameters();
    return filter
        .window()
        .map(
            window ->
                new WindowFields(
                    WindowView.of(window, filter.segments()),
                    window.slices(),
                    window.refresh(),
                    slices,
                    isOverfull
                        ? OVERFULL.formatted(
                            parameters.expectedInsertions(), parameters.falsePositiveProbability())
                        : null))
        .orElse(null);
  }
}
