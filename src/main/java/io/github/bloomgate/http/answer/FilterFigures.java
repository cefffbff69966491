package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.filters.FilterPage;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.Rebuild;
import io.github.bloomgate.model.WhenFull;
import java.util.Optional;
import java.util.function.Function;

/** A summary of a filter that does not read its bits. */
public record FilterFigures(
    long expectedInsertions,
    Long insertions,
    Double fillRatio,
    Long approximateElementCount,
    Double estimatedFalsePositiveProbability,
    WhenFull whenFull,
    @JsonInclude(JsonInclude.Include.NON_NULL) WindowView window,
    boolean rebuilding,
    Double rebuildProgress,
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
