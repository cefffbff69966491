package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.github.bloomgate.filters.Description;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import java.time.Instant;
import java.util.List;

/** A filter, described. */
public record FilterView(
    String name,
    FilterState state,
    String hashScheme,
    String elementCodec,
    String hashSecretId,
    String schemeWarning,
    long expectedInsertions,
    double falsePositiveProbability,
    long bitSize,
    int numHashFunctions,
    int segments,
    long sizeBytes,
    WhenFull whenFull,
    @JsonInclude(JsonInclude.Include.NON_NULL) Integer growthFactor,
    @JsonInclude(JsonInclude.Include.NON_NULL) Long maxSizeBytes,
    @JsonInclude(JsonInclude.Include.NON_NULL) List<LayerView> layers,
    @JsonInclude(JsonInclude.Include.NON_NULL) WindowView window,
    @JsonInclude(JsonInclude.Include.NON_NULL) Integer slices,
    @JsonInclude(JsonInclude.Include.NON_NULL) Boolean refresh,
    @JsonInclude(JsonInclude.Include.NON_NULL) List<SliceView> liveSlices,
    @JsonInclude(JsonInclude.Include.NON_NULL) String windowWarning,
    @JsonInclude(JsonInclude.Include.NON_NULL) Boolean counting,
    @JsonInclude(JsonInclude.Include.NON_NULL) Long counters,
    @JsonInclude(JsonInclude.Include.NON_NULL) Long saturatedCounters,
    long insertions,
    long bitsSet,
    double fillRatio,
    Long approximateElementCount,
    double estimatedFalsePositiveProbability,
    long generation,
    Instant createdAt,
    Instant expiresAt,
    String redisKey,
    boolean adopted,
    RebuildView rebuild,
    SourceView source,
    @JsonInclude(JsonInclude.Include.NON_NULL) String note) {

  public static FilterView of(Description description) {
    return of(description, null);
  }

  /**
   * Likewise.
   *
   * @param note what of the request was not done; null if all was
   */
  public static FilterView of(Description description, String note) {
    var filter = description.filter();
    var parameters = filter.parameters();
    var statistics = description.statistics();
    var window = parameters.window();
    return new FilterView(
        filter.name().value(),
        FilterState.READY,
        parameters.hashScheme().id(),
        parameters.hashScheme().elementCodec().orElse(null),
        parameters.hashScheme().keyOrigin().map(KeyOrigin::secretId).orElse(null),
        parameters.schemeWarning().orElse(null),
        parameters.expectedInsertions(),
        parameters.falsePositiveProbability(),
        filter.bitSize(),
        filter.shape().numHashFunctions(),
        filter.segments(),
        filter.sizeBytes(),
        parameters.whenFull(),
        parameters.growth().map(Growth::factor).orElse(null),
        parameters.growth().map(Growth::maxSizeBytes).orElse(null),
        filter.grows() ? LayerView.of(filter, description.layers()) : null,
        window.map(some -> WindowView.of(some, filter.segments())).orElse(null),
        window.map(Window::slices).orElse(null),
        window.map(Window::refresh).orElse(null),
        window.isPresent() ? description.slices().stream().map(SliceView::of).toList() : null,
        statistics.isOverfull() ? overfull(parameters) : null,
        parameters.counting() ? true : null,
        parameters.counting() ? parameters.places(filter.shape()).bitSize() : null,
        parameters.counting() ? (Long) statistics.saturatedCounters() : null,
        statistics.insertions(),
        statistics.bitsSet(),
        statistics.fillRatio(),
        statistics.approximateElementCount().isPresent()
            ? statistics.approximateElementCount().getAsLong()
            : null,
        statistics.estimatedFalsePositiveProbability(),
        filter.generation().number(),
        filter.createdAt(),
        filter.expiresAt().orElse(null),
        description.redisKey(),
        filter.isAdopted(),
        description.rebuild().map(RebuildView::of).orElse(null),
        description.source().map(SourceView::of).orElse(null),
        note);
  }

  private static String overfull(FilterParameters parameters) {
    return "More than %d elements came within a window, so the false-positive rate may be above %s. Rebuild the filter with more expectedInsertions."
        .formatted(parameters.expectedInsertions(), parameters.falsePositiveProbability());
  }
}
