package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.hash.KeyOrigin;
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
    List<Layer> layers) {

  public static PlanJson of(FilterPlan plan) {
    var parameters = plan.parameters();
    var scheme = parameters.hashScheme();
    return new PlanJson(
        scheme.id(),
        scheme.elementCodec(),
        scheme.keyOrigin(),
        parameters.expectedInsertions(),
        parameters.falsePositiveProbability(),
        parameters.whenFull(),
        parameters.growth(),
        parameters.window(),
        parameters.counting(),
        plan.layers());
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
    var parameters = parameters(scheme);
    var endSegment = 0;
    for (var layer : layers) {
      requireInsertions(layer.expectedInsertions());
      requireProbability(layer.falsePositiveProbability());
      require(layer.firstSegment() == endSegment, "layers.firstSegment");
      require(isShapeOf(parameters, layer.shape()), "layers.shape");
      endSegment = layer.endSegment();
    }
    var rates = layers.stream().mapToDouble(Layer::falsePositiveProbability).sum();
    var plan = new FilterPlan(parameters, layers);
    if (!layers.get(0).openedAt(Optional.empty()).equals(Growth.first(parameters))
        || rates > falsePositiveProbability
        || plan.sizeBytes() > growth.map(Growth::maxSizeBytes).orElse(Long.MAX_VALUE)) {
      throw new IllegalArgumentException("has layers that do not match its other fields");
    }
    return plan;
  }

  private FilterParameters parameters(HashScheme scheme) {
    if (!scheme.isNative() && (growth.isPresent() || window.isPresent() || counting)) {
      throw new IllegalArgumentException(
          "has growth, window or counting, which its hash scheme does not support");
    }
    try {
      return new FilterParameters(
          scheme,
          expectedInsertions,
          falsePositiveProbability,
          layers.get(0).shape(),
          whenFull,
          growth,
          window,
          counting);
    } catch (IllegalArgumentException contradiction) {
      throw new IllegalArgumentException(
          "has whenFull, growth, window, counting and layers that do not fit together",
          contradiction);
    }
  }

  /**
   * Whether the service would divide as many bits into segments in this way. With bits instead of
   * counters, it keeps the segments of the counters.
   */
  private static boolean isShapeOf(FilterParameters parameters, FilterShape shape) {
    if (shape.segmentBits() > FilterParameters.MAX_BIT_SIZE / shape.segments()
        || shape.numHashFunctions() > FilterParameters.MAX_HASH_FUNCTIONS) {
      return false;
    }
    if (parameters.counting()) {
      return Counters.areIn(shape);
    }
    if (parameters.window().isPresent()) {
      return parameters.window().get().isIn(shape);
    }
    var scheme = parameters.hashScheme();
    return isShapeOf(scheme, shape)
        || (scheme.isNative() && parameters.growth().isEmpty() && Counters.wereIn(shape));
  }

  private static boolean isShapeOf(HashScheme scheme, FilterShape shape) {
    try {
      return shape.equals(scheme.shapeOf(shape.bitSize(), shape.numHashFunctions()));
    } catch (IllegalArgumentException refused) {
      return false;
    }
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
