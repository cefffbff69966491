package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.filters.FilterPage;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.Rebuild;
import io.github.bloomgate.model.WhenFull;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** How a filter is at a glance, without a look at its bits. */
@Schema(
    description =
        "How a filter is at a glance. The counts are those of when its bitmaps were last written,"
            + " which is seconds ago or, under steady adds, a minute; the description of the filter has"
            + " them exactly. They are null if the filter is adopted, because the adds of its library are"
            + " not counted.",
    requiredProperties = {
      "expectedInsertions",
      "insertions",
      "fillRatio",
      "approximateElementCount",
      "estimatedFalsePositiveProbability",
      "whenFull",
      "rebuilding",
      "rebuildProgress",
      "source"
    })
public record FilterFigures(
    @Schema(description = "n: how many elements all its layers were made for")
        long expectedInsertions,
    @Schema(
            description = "Adds that changed a bit; with a window also those that are forgotten",
            nullable = true)
        Long insertions,
    @Schema(description = "Share of bits that are 1", nullable = true) Double fillRatio,
    @Schema(
            description = "Distinct elements, from the bits alone; null when it is saturated too",
            nullable = true)
        Long approximateElementCount,
    @Schema(
            description = "How likely an element never added is answered maybe now",
            nullable = true)
        Double estimatedFalsePositiveProbability,
    @Schema(description = "What happens to new elements beyond n") WhenFull whenFull,
    @Schema(
            description =
                "If it has a window: for how long it remembers elements; else missing. The figures"
                    + " are of what is remembered")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        WindowView window,
    @Schema(description = "Whether a rebuild is open") boolean rebuilding,
    @Schema(
            description =
                "How many elements were loaded into that rebuild for each that it is made for: 1 if"
                    + " it has all; null if none is open",
            nullable = true)
        Double rebuildProgress,
    @Schema(description = "How its source is; null if it has none", nullable = true)
        SourceState source) {

  static FilterFigures of(Filter filter, FilterPage.Figures figures) {
    var statistics = figures.statistics();
    return new FilterFigures(
        filter.expectedInsertions(),
        orNull(statistics, FilterStatistics::insertions),
        orNull(statistics, FilterStatistics::fillRatio),
        orNull(
            statistics.filter(known -> known.approximateElementCount().isPresent()),
            known -> known.approximateElementCount().getAsLong()),
        orNull(statistics, FilterStatistics::estimatedFalsePositiveProbability),
        filter.parameters().whenFull(),
        filter.window().map(window -> WindowView.of(window, filter.segments())).orElse(null),
        filter.next().isPresent(),
        figures.rebuild().map(FilterFigures::progress).orElse(null),
        figures.source().map(SourceState::of).orElse(null));
  }

  private static double progress(Rebuild rebuild) {
    return (double) rebuild.elementsReceived() / rebuild.next().parameters().expectedInsertions();
  }

  private static <T> T orNull(
      Optional<FilterStatistics> statistics, Function<FilterStatistics, T> value) {
    return statistics.map(value).orElse(null);
  }
}
