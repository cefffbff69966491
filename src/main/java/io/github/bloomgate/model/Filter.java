package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.Sizing;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One generation of a filter: the live one, or the next one while a rebuild loads it.
 *
 * @param name the name of the filter
 * @param parameters its parameters
 * @param layers at least one
 * @param adoptedKey where its bits are, if another library uses them too
 * @param generation the content
 * @param version changes with the content, the layers and the rebuild; every call to Redis is
 *     checked against it
 * @param createdAt when it was created, of a next generation when the rebuild was opened; by the
 *     clock of the service
 * @param expiresAt when it expires, if ever; of a next generation unless more is loaded
 * @param isNext whether this is the generation that a rebuild loads
 * @param next the incarnation of the generation that a rebuild loads, if one is open
 * @param owner the id of the API key that created it; empty if there was none
 * @param hasSource whether it has a source that it is rebuilt from
 */
public record Filter(
    FilterName name,
    FilterParameters parameters,
    List<Layer> layers,
    Optional<AdoptedKey> adoptedKey,
    Generation generation,
    String version,
    Instant createdAt,
    Optional<Instant> expiresAt,
    boolean isNext,
    Optional<String> next,
    String owner,
    boolean hasSource) {

  public Filter {
    layers = List.copyOf(layers);
  }

  /** Segments, bits of each, hash functions; those of the first layer if there are several. */
  public FilterShape shape() {
    return parameters.shape();
  }

  /** Bits and hash functions of a segment, by its index among those of all layers. */
  public FilterShape shapeOf(int segment) {
    return segment < shape().segments() ? shape() : layerOf(segment).shape();
  }

  /** How many elements a segment takes before it refuses, or 0 if it never does. */
  public long maxInsertions(int segment) {
    return segment < shape().segments()
        ? parameters.maxInsertionsPerSegment()
        : layerOf(segment).maxInsertionsPerSegment();
  }

  private Layer layerOf(int segment) {
    for (var layer : layers) {
      if (segment < layer.endSegment()) {
        return layer;
      }
    }
    throw new IndexOutOfBoundsException(segment);
  }

  /** How many segments all layers have. */
  public int segments() {
    return layers.get(layers.size() - 1).endSegment();
  }

  /** How many elements all layers were made for. */
  public long expectedInsertions() {
    return layers.stream().mapToLong(Layer::expectedInsertions).sum();
  }

  /** Bits of all layers. */
  public long bitSize() {
    return layers.stream().mapToLong(layer -> layer.shape().bitSize()).sum();
  }

  /** Bytes of the bitmaps of all layers. */
  public long sizeBytes() {
    return bytes(layers);
  }

  private static long bytes(List<Layer> layers) {
    return layers.stream().mapToLong(layer -> layer.shape().sizeBytes()).sum();
  }

  /** Whether it gets another layer when it is full. */
  public boolean grows() {
    return parameters.growth().isPresent();
  }

  /** For how long it remembers elements, if not for ever. */
  public Optional<Window> window() {
    return parameters.window();
  }

  /** Whether its elements can be removed. */
  public boolean isCounting() {
    return parameters.counting();
  }

  /** Whether its segments hold bits that are never unset: it neither forgets nor counts. */
  public boolean isPlain() {
    return parameters.isPlain();
  }

  /** The layer that follows the last one; empty if the filter can grow no further. */
  public Optional<Layer> nextLayer() {
    return parameters.growth().flatMap(growth -> growth.next(parameters, layers));
  }

  /**
   * The parameters that a next generation has if none are asked for: those of this one, with one
   * layer for as many elements as all of its layers.
   */
  public FilterParameters rebuildParameters() {
    return layers.size() == 1
        ? parameters
        : FilterParameters.growing(
            parameters.hashScheme(),
            Math.min(FilterParameters.MAX_EXPECTED_INSERTIONS, expectedInsertions()),
            parameters.falsePositiveProbability(),
            parameters.growth().orElseThrow());
  }

  /** Whether its bits are under a library's key, where others may set some too. */
  public boolean isAdopted() {
    return adoptedKey.isPresent() && !isNext;
  }

  /**
   * Whether its content is one plain bitmap without header and journal: it has adopted one, will
   * replace an adopted one, or has a library's scheme and is longer than a segment.
   */
  public boolean isRaw() {
    return adoptedKey.isPresent() || shape().segmentBits() > Sizing.MAX_SEGMENT_BITS;
  }

  /** Whether its insertions are all there were, those of a library included. */
  public boolean countsAllInsertions() {
    return !isAdopted()
        || parameters.hashScheme().counterKey(adoptedKey.orElseThrow().redisKey()).isPresent();
  }
}
