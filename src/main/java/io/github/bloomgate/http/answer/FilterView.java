package io.github.bloomgate.http.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.WhenFull;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** The description of a filter. The fields of its parts stand side by side in JSON. */
public record FilterView(
    String name,
    String state,
    String hashScheme,
    String elementCodec,
    String hashSecretId,
    String schemeWarning,
    @JsonUnwrapped ShapeView shape,
    WhenFull whenFull,
    @JsonUnwrapped Growth growth,
    @JsonUnwrapped WindowFields window,
    @JsonUnwrapped Counting counting,
    @JsonUnwrapped FilterStatistics fill,
    long generation,
    Instant createdAt,
    Instant expiresAt,
    String redisKey,
    boolean adopted,
    RebuildView rebuild,
    SourceView source,
    @JsonInclude(JsonInclude.Include.NON_NULL) String note) {

  public record Growth(int growthFactor, long maxSizeBytes, List<LayerPart> layers) {

    /** Null if the filter does not grow. */
    static Growth of(Filter filter, List<FilterStatistics> layers) {
      return filter
          .parameters()
          .growth()
          .map(
              growth ->
                  new Growth(growth.factor(), growth.maxSizeBytes(), LayerPart.of(filter, layers)))
          .orElse(null);
    }
  }

  public record Counting(boolean counting, long counters, long saturatedCounters) {

    /** Null if the filter does not count. */
    static Counting of(Filter filter, FilterStatistics statistics) {
      var parameters = filter.parameters();
      return parameters.counting()
          ? new Counting(
              true, parameters.places(filter.shape()).bitSize(), statistics.saturatedCounters())
          : null;
    }
  }

  public static FilterView of(Description description) {
    return of(description, null);
  }

  /**
   * Describes a filter.
   *
   * @param note the part of the request that was not done; null if all was
   */
  public static FilterView of(Description description, String note) {
    var filter = description.filter();
    var parameters = filter.parameters();
    var scheme = parameters.hashScheme();
    var statistics = description.statistics();
    return new FilterView(
        filter.name().value(),
        "ready",
        scheme.id(),
        scheme.elementCodec().orElse(null),
        scheme.keyOrigin().map(KeyOrigin::secretId).orElse(null),
        parameters.schemeWarning().orElse(null),
        ShapeView.of(filter.plan(), parameters.falsePositiveProbability()),
        parameters.whenFull(),
        Growth.of(filter, description.layers()),
        WindowFields.of(filter, description.slices(), statistics.isOverfull()),
        Counting.of(filter, statistics),
        statistics,
        filter.generation(),
        filter.createdAt(),
        filter.expiresAt().orElse(null),
        filter.redisKey(),
        filter.isAdopted(),
        description.rebuild().map(RebuildView::of).orElse(null),
        description.source().map(SourceView::of).orElse(null),
        note);
  }

  public record LayerPart(
      @JsonUnwrapped ShapeView shape, long insertions, long bitsSet, Instant openedAt) {

    static List<LayerPart> of(Filter filter, List<FilterStatistics> statistics) {
      return IntStream.range(0, statistics.size())
          .mapToObj(i -> of(filter.plan().layers().get(i), statistics.get(i), filter.createdAt()))
          .toList();
    }

    private static LayerPart of(Layer layer, FilterStatistics statistics, Instant createdAt) {
      return new LayerPart(
          ShapeView.of(layer.expectedInsertions(), layer.falsePositiveProbability(), layer.shape()),
          statistics.insertions(),
          statistics.bitsSet(),
          layer.openedAt().orElse(createdAt));
    }
  }
}
