package io.github.bloomgate.http.response;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.follow.Followers.Copies;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.model.FilterStatistics;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.IdleExpiry;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.WhenFull;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
    @JsonUnwrapped GrowthFields growth,
    @JsonUnwrapped WindowFields window,
    @JsonUnwrapped CountingFields counting,
    @JsonUnwrapped FilterStatistics fill,
    long generation,
    Instant createdAt,
    Instant expiresAt,
    Long idleSeconds,
    boolean extendedByTests,
    String redisKey,
    boolean adopted,
    boolean template,
    RebuildView rebuild,
    SourceView source,
    CopiesView copies,
    @JsonInclude(JsonInclude.Include.NON_NULL) String note) {

  public record GrowthFields(int growthFactor, long maxSizeBytes, List<LayerPart> layers) {

    /** Null if the filter does not grow. */
    static GrowthFields of(Generation generation, List<FilterStatistics> layers) {
      return generation.kind() instanceof Growth growth
          ? new GrowthFields(
              growth.factor(), growth.maxSizeBytes(), LayerPart.of(generation, layers))
          : null;
    }
  }

  public record CountingFields(boolean counting, long counters, long saturatedCounters) {

    /** Null if the filter does not count. */
    static CountingFields of(Generation generation, FilterStatistics statistics) {
      return generation.isCounting()
          ? new CountingFields(
              true, generation.parameters().places().bitSize(), statistics.saturatedCounters())
          : null;
    }
  }

  /**
   * Describes a filter.
   *
   * @param copies empty if it is not watched on this instance
   * @param note the part of the request that was not done; null if all was
   */
  static FilterView of(Description description, Optional<Copies> copies, String note) {
    var generation = description.live();
    var parameters = generation.parameters();
    var scheme = parameters.hashScheme();
    var statistics = description.statistics();
    return new FilterView(
        generation.name().value(),
        "ready",
        scheme.id(),
        scheme.elementCodec().orElse(null),
        scheme.keyOrigin().map(KeyOrigin::secretId).orElse(null),
        parameters.schemeWarning().orElse(null),
        ShapeView.of(generation.plan(), parameters.falsePositiveProbability()),
        parameters.whenFull(),
        GrowthFields.of(generation, description.layers()),
        WindowFields.of(generation, description.slices(), statistics.isOverfull()),
        CountingFields.of(generation, statistics),
        statistics,
        generation.number(),
        generation.createdAt(),
        generation.expiresAt().orElse(null),
        generation.idle().map(idle -> idle.after().toSeconds()).orElse(null),
        generation.idle().filter(IdleExpiry::byTests).isPresent(),
        generation.redisKey(),
        generation.isAdopted(),
        generation.isTemplate(),
        description.rebuild().map(RebuildView::of).orElse(null),
        description.source().map(SourceView::of).orElse(null),
        copies.map(CopiesView::of).orElse(null),
        note);
  }

  public record CopiesView(Double ageSeconds, int followers, long bytesSent, Double lagSeconds) {

    static CopiesView of(Copies copies) {
      return new CopiesView(
          copies.age().map(ElementsResult::seconds).orElse(null),
          copies.followers(),
          copies.bytes(),
          copies.lag().map(ElementsResult::seconds).orElse(null));
    }
  }

  public record LayerPart(
      @JsonUnwrapped ShapeView shape, long insertions, long bitsSet, Instant openedAt) {

    static List<LayerPart> of(Generation generation, List<FilterStatistics> statistics) {
      return IntStream.range(0, statistics.size())
          .mapToObj(
              i -> of(generation.plan().layers().get(i), statistics.get(i), generation.createdAt()))
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
