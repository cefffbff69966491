package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.hash.KeyOrigin;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The fields of a plan in JSON, in this order: in the definition of a filter in Redis, and in the
 * header of its file.
 *
 * @param hashScheme id of the scheme
 * @param elementCodec only if the scheme has several
 * @param hashKey only with a keyed scheme
 */
public record PlanJson(
    String hashScheme,
    Optional<String> elementCodec,
    Optional<KeyOrigin> hashKey,
    long expectedInsertions,
    double falsePositiveProbability,
    WhenFull whenFull,
    Optional<Growth> growth,
    Optional<Window> window,
    boolean counting,
    List<LayerJson> layers) {

  /** A stored {@link Layer}. */
  public record LayerJson(
      int firstSegment,
      long expectedInsertions,
      double falsePositiveProbability,
      FilterShape shape,
      Optional<Instant> openedAt) {

    static LayerJson of(Layer layer) {
      return new LayerJson(
          layer.firstSegment(),
          layer.expectedInsertions(),
          layer.falsePositiveProbability(),
          layer.shape(),
          layer.openedAt());
    }

    private Layer toLayer(FilterKind kind) {
      return kind.layer(
          firstSegment, expectedInsertions, falsePositiveProbability, shape, openedAt);
    }
  }

  public static PlanJson of(FilterPlan plan) {
    var parameters = plan.parameters();
    var scheme = parameters.hashScheme();
    var kind = parameters.kind();
    var json =
        new PlanJson(
            scheme.id(),
            scheme.elementCodec(),
            scheme.keyOrigin(),
            parameters.expectedInsertions(),
            parameters.falsePositiveProbability(),
            parameters.whenFull(),
            kind instanceof Growth growth ? Optional.of(growth) : Optional.empty(),
            kind instanceof Window window ? Optional.of(window) : Optional.empty(),
            kind instanceof Counting,
            plan.layers().stream().map(LayerJson::of).toList());
    if (!json.kind().equals(kind)) {
      throw new IllegalStateException("a plan would be stored as one of another kind");
    }
    return json;
  }

  /**
   * The scheme.
   *
   * @return without its key, if it is keyed; empty if this version of the service does not have it
   */
  public Optional<HashScheme> scheme() {
    return HashSchemes.named(hashScheme, elementCodec)
        .map(
            scheme ->
                scheme.isKeyed() && hashKey.isPresent()
                    ? HashSchemes.keyed(hashKey.get(), Optional.empty())
                    : scheme);
  }

  /**
   * The plan, which is checked against the limits of the service.
   *
   * @param scheme {@link #scheme}, or the same with its key
   * @throws IllegalArgumentException if no filter can have it; the message completes "It ..."
   */
  public FilterPlan toPlan(HashScheme scheme) {
    requireInsertions(expectedInsertions);
    requireProbability(falsePositiveProbability);
    if (scheme.isKeyed() != hashKey.isPresent()) {
      throw new IllegalArgumentException(
          "has a hashKey without a keyed hash scheme, or the other way round");
    }
    require(layers.size() <= Growth.MAX_LAYERS && !layers.isEmpty(), "layers");
    var parameters =
        new FilterParameters(
            scheme, expectedInsertions, falsePositiveProbability, layers.get(0).shape(), kind());
    if (!scheme.isNative() && !(parameters.kind() instanceof Plain)) {
      throw new IllegalArgumentException(
          "has growth, window or counting, which its hash scheme does not support");
    }
    var endSegment = 0;
    for (var layer : layers) {
      requireInsertions(layer.expectedInsertions());
      requireProbability(layer.falsePositiveProbability());
      require(layer.firstSegment() == endSegment, "layers.firstSegment");
      require(isShapeOf(parameters, layer.shape()), "layers.shape");
      endSegment += layer.shape().segments();
    }
    var rates = layers.stream().mapToDouble(LayerJson::falsePositiveProbability).sum();
    var plan =
        new FilterPlan(
            parameters, layers.stream().map(layer -> layer.toLayer(parameters.kind())).toList());
    if (!plan.layers().get(0).openedAt(Optional.empty()).equals(parameters.firstLayer())
        || rates > falsePositiveProbability
        || plan.sizeBytes() > growth.map(Growth::maxSizeBytes).orElse(Long.MAX_VALUE)) {
      throw new IllegalArgumentException("has layers that do not match its other fields");
    }
    return plan;
  }

  private FilterKind kind() {
    if (growth.isPresent() != (whenFull == WhenFull.GROW)
        || (window.isPresent() && whenFull != WhenFull.ACCEPT)
        || (counting && (growth.isPresent() || window.isPresent()))) {
      throw new IllegalArgumentException(
          "has whenFull, growth, window, counting and layers that do not fit together");
    }
    if (growth.isPresent()) {
      return growth.get();
    }
    if (window.isPresent()) {
      return window.get();
    }
    return counting ? new Counting(whenFull) : new Plain(whenFull);
  }

  private static boolean isShapeOf(FilterParameters parameters, FilterShape shape) {
    return shape.segmentBits() <= FilterParameters.MAX_BIT_SIZE / shape.segments()
        && shape.numHashFunctions() <= FilterParameters.MAX_HASH_FUNCTIONS
        && parameters.kind().isIn(parameters.hashScheme(), shape);
  }

  private static void requireInsertions(long given) {
    require(given > 0 && given <= FilterParameters.MAX_EXPECTED_INSERTIONS, "expectedInsertions");
  }

  private static void requireProbability(double given) {
    require(given > 0 && given < 1, "falsePositiveProbability");
  }

  private static void require(boolean valid, String field) {
    if (!valid) {
      throw new IllegalArgumentException("has no valid " + field);
    }
  }
}
