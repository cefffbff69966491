package io.github.bloomgate.http.response;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.model.SliceStatistics;
import io.github.bloomgate.model.Window;
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
  static WindowFields of(Generation generation, List<SliceStatistics> slices, boolean isOverfull) {
    var parameters = generation.parameters();
    return generation.kind() instanceof Window window
        ? new WindowFields(
            WindowView.of(window, generation.segments()),
            window.slices(),
            window.refresh(),
            slices,
            isOverfull
                ? OVERFULL.formatted(
                    parameters.expectedInsertions(), parameters.falsePositiveProbability())
                : null)
        : null;
  }
}
