package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.Sizing;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One generation of a filter: the live one, or the next one while a rebuild loads it.
 *
 * @param plan its parameters and layers
 * @param adoptedKey the key of its bits, if it shares them with another library
 * @param generation counts the contents of the filter, from 1; it changes when the filter is
 *     cleared, replaced or rebuilt
 * @param version changes with the content, the layers and the rebuild; every call to Redis is
 *     checked against it
 * @param createdAt when the filter was created, or the rebuild was opened; by the clock of the
 *     instance
 * @param expiresAt when it expires, if ever; loading into a next generation extends it
 * @param isNext whether a rebuild is loading this generation
 * @param next the incarnation of the generation being loaded, if a rebuild is open
 * @param owner the id of the API key that created it, if any
 * @param hasSource whether it is rebuilt from a source
 */
public record Filter(
    FilterName name,
    FilterPlan plan,
    Optional<AdoptedKey> adoptedKey,
    ContentId content,
    long generation,
    String version,
    Instant createdAt,
    Optional<Instant> expiresAt,
    boolean isNext,
    Optional<String> next,
    String owner,
    boolean hasSource) {

  public FilterParameters parameters() {
    return plan.parameters();
  }

  public List<Layer> layers() {
    return plan.layers();
  }

  /** The shape of the first layer. */
  public FilterShape shape() {
    return parameters().shape();
  }

  /** The segments of all layers. */
  public int segments() {
    return plan.segments();
  }

  public String segmentsInWords() {
    return segments() == 1 ? "1 segment" : segments() + " segments";
  }

  /** The expected insertions of all layers. */
  public long expectedInsertions() {
    return plan.expectedInsertions();
  }

  /** The bytes of the bitmaps of all layers. */
  public long sizeBytes() {
    return plan.sizeBytes();
  }

  /** How long it keeps elements, if they expire. */
  public Optional<Window> window() {
    return parameters().window();
  }

  public boolean isCounting() {
    return parameters().counting();
  }

  /**
   * The default parameters of a next generation: the same, with one layer for the elements of all
   * current layers.
   */
  public FilterParameters rebuildParameters() {
    var parameters = parameters();
    return layers().size() == 1
        ? parameters
        : parameters
            .growth()
            .orElseThrow()
            .parameters(
                parameters.hashScheme(),
                Math.min(FilterParameters.MAX_EXPECTED_INSERTIONS, expectedInsertions()),
                parameters.falsePositiveProbability());
  }

  /** Whether its bits are under a library's key, where other clients may set bits too. */
  public boolean isAdopted() {
    return adoptedKey.isPresent() && !isNext;
  }

  /**
   * Whether its content is one bitmap without header and journal: an adopted one, the replacement
   * of one, or a library's bitmap that is longer than a segment.
   */
  public boolean isRaw() {
    return adoptedKey.isPresent() || shape().segmentBits() > Sizing.MAX_SEGMENT_BITS;
  }

  /** Whether its number of insertions includes the library's. */
  public boolean countsAllInsertions() {
    return !isAdopted()
        || parameters().hashScheme().counterKey(adoptedKey.orElseThrow().redisKey()).isPresent();
  }
}
