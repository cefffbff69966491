package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.segment.SegmentFormat;
import java.util.Map;
import java.util.Optional;

/**
 * How a filter grows. At capacity it gets another layer. The first layer has half of the requested
 * rate and each further one half of the rate before it, so that the sum never exceeds the requested
 * rate.
 *
 * <p>Scalable Bloom filters, by Almeida, Baquero, Preguiça and Hutchison (2007), with the ratio
 * 0.5. In the paper a whole filter fills up before the next one opens; here each segment of a layer
 * fills up separately.
 *
 * @param factor how many times the capacity of the layer before it a layer has
 * @param maxSizeBytes the limit for the bitmaps of all layers together
 */
public record Growth(int factor, long maxSizeBytes) implements FilterKind {

  public static final int DEFAULT_FACTOR = 2;

  public static final int MAX_FACTOR = 10;

  /** Each layer slows tests down and needs more bits per element. */
  public static final int MAX_LAYERS = 32;

  public static final long MAX_SIZE_BYTES = FilterParameters.MAX_BIT_SIZE / Byte.SIZE;

  private static final double RATIO = 0.5;

  public Growth {
    if (factor < 1 || factor > MAX_FACTOR || maxSizeBytes < 1 || maxSizeBytes > MAX_SIZE_BYTES) {
      throw new IllegalArgumentException(
          "impossible growth: by %d up to %d bytes".formatted(factor, maxSizeBytes));
    }
  }

  @Override
  public WhenFull whenFull() {
    return WhenFull.GROW;
  }

  /**
   * The parameters of a filter that grows, with the shape of its first layer.
   *
   * @throws BloomException as {@link FilterParameters#forElements}; INVALID_REQUEST also if the
   *     scheme is another library's, or the first layer alone exceeds {@code maxSizeBytes}
   */
  @Override
  public FilterParameters parameters(
      HashScheme hashScheme, long expectedInsertions, double falsePositiveProbability) {
    Shapes.requireNative(
        hashScheme, "whenFull grow", "filters of several layers", "another whenFull");
    // Checks the whole rate: half of it, for the first layer, may be within the limit.
    Shapes.requireRate(hashScheme, falsePositiveProbability);
    var shape = Shapes.shapeFor(hashScheme, expectedInsertions, RATIO * falsePositiveProbability);
    if (shape.sizeBytes() > maxSizeBytes) {
      throw RequestErrors.invalid(
          "maxSizeBytes is %d, but the first layer alone takes %d bytes. Send maxSizeBytes of at least %d, or fewer expectedInsertions."
              .formatted(maxSizeBytes, shape.sizeBytes(), shape.sizeBytes()));
    }
    return new FilterParameters(
        hashScheme, expectedInsertions, falsePositiveProbability, shape, this);
  }

  @Override
  public boolean isIn(HashScheme hashScheme, FilterShape shape) {
    return Shapes.isOf(hashScheme, shape);
  }

  /** A segment takes exactly its share, because the next layer takes the rest. */
  @Override
  public SegmentFormat.Kind content(long expectedInsertions, int segments) {
    return new SegmentFormat.Fixed(Sizing.ceilDiv(expectedInsertions, segments));
  }

  @Override
  public boolean hasCapacity() {
    return false;
  }

  @Override
  public double firstShare() {
    return RATIO;
  }

  @Override
  public Map<String, Object> fields() {
    return Map.of("growthFactor", factor, "maxSizeBytes", maxSizeBytes);
  }

  /**
   * The plan of a filter with the layers that hold a number of elements.
   *
   * @throws BloomException LIMIT_EXCEEDED if it cannot hold them
   */
  public FilterPlan planFor(FilterParameters parameters, long elements) {
    var plan = FilterPlan.of(parameters);
    while (plan.expectedInsertions() < elements) {
      var full = plan;
      plan =
          plan.with(
              nextLayer(plan)
                  .orElseThrow(
                      () ->
                          RequestErrors.limitExceeded(
                              "A filter that grows from %d elements by the growthFactor %d is full with %d elements, in %d layers. Send more expectedInsertions, a larger growthFactor, or a higher falsePositiveProbability."
                                  .formatted(
                                      parameters.expectedInsertions(),
                                      factor,
                                      full.expectedInsertions(),
                                      full.layers().size()))));
    }
    return plan;
  }

  @Override
  public Optional<Layer> nextLayer(FilterPlan plan) {
    var index = plan.layers().size();
    var last = plan.layers().get(index - 1);
    if (index >= MAX_LAYERS
        || last.expectedInsertions() > FilterParameters.MAX_EXPECTED_INSERTIONS / factor) {
      return Optional.empty();
    }
    var insertions = factor * last.expectedInsertions();
    var rate = RATIO * last.falsePositiveProbability();
    return shape(plan.parameters().hashScheme(), insertions, rate)
        .filter(shape -> shape.sizeBytes() <= maxSizeBytes - plan.sizeBytes())
        .map(shape -> layer(last.endSegment(), insertions, rate, shape));
  }

  private static Optional<FilterShape> shape(HashScheme scheme, long insertions, double rate) {
    try {
      return Optional.of(Shapes.shapeFor(scheme, insertions, rate));
    } catch (BloomException beyond) {
      return Optional.empty();
    }
  }
}
