package io.github.bloomgate.http.response;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.FilterPage;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.filters.RebuildDescription;
import io.github.bloomgate.http.request.Cursor;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A page of filters. */
public record FilterListView(List<Summary> filters, Optional<String> nextCursor) {

  public static FilterListView of(FilterPage page) {
    return new FilterListView(
        page.entries().stream().map(Summary::of).toList(), page.next().map(Cursor::of));
  }

  /** A filter in a list: its parameters, and its counts on request. */
  public record Summary(
      String name,
      String state,
      Optional<String> hashScheme,
      Optional<Long> expectedInsertions,
      Optional<Double> falsePositiveProbability,
      Optional<Long> sizeBytes,
      Optional<Instant> createdAt,
      Optional<Instant> expiresAt,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<Figures> figures) {

    static Summary of(FilterPage.Entry entry) {
      var live = entry.live();
      var parameters = live.map(Generation::parameters);
      return new Summary(
          entry.name().value(),
          live.isPresent() ? "ready" : "damaged",
          parameters.map(known -> known.hashScheme().id()),
          parameters.map(FilterParameters::expectedInsertions),
          parameters.map(FilterParameters::falsePositiveProbability),
          live.map(Generation::sizeBytes),
          live.map(Generation::createdAt),
          live.flatMap(Generation::expiresAt),
          entry.figures().map(figures -> Figures.of(figures, entry.statistics())));
    }
  }

  public record Figures(
      long expectedInsertions,
      Optional<Long> insertions,
      Optional<Double> fillRatio,
      OptionalLong approximateElementCount,
      Optional<Double> estimatedFalsePositiveProbability,
      WhenFull whenFull,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<WindowView> window,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean counting,
      boolean rebuilding,
      Optional<Double> rebuildProgress,
      Optional<String> source) {

    static Figures of(Description figures, Optional<FilterStatistics> statistics) {
      var live = figures.live();
      return new Figures(
          live.expectedInsertions(),
          statistics.map(FilterStatistics::insertions),
          statistics.map(FilterStatistics::fillRatio),
          statistics.map(FilterStatistics::approximateElementCount).orElse(OptionalLong.empty()),
          statistics.map(FilterStatistics::estimatedFalsePositiveProbability),
          live.parameters().whenFull(),
          live.kind() instanceof Window window
              ? Optional.of(WindowView.of(window, live.segments()))
              : Optional.empty(),
          live.isCounting(),
          live.next().isPresent(),
          figures.rebuild().map(RebuildDescription::progress),
          figures.source().map(SourceView::state));
    }
  }
}
