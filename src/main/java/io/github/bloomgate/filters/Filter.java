package io.github.bloomgate.filters;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.store.AdoptedBitmap;
import io.github.bloomgate.store.FilterState;
import io.github.bloomgate.store.FilterState.Loading;
import io.github.bloomgate.store.FilterStore.Asked;
import io.github.bloomgate.store.RawContent;
import io.github.bloomgate.store.StoredGeneration;
import io.github.bloomgate.store.Written;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One generation of a filter at one version of its state: the live one, or the next one while a
 * rebuild loads it.
 *
 * @param plan its parameters and layers
 * @param adoptedKey the key of its bits, if it shares them with another library
 * @param state as it was read; by now there may be more segments
 * @param layers from the oldest; a filter that does not grow has one
 * @param grows whether it can get another layer when the last one is full
 */
public record Filter(
    StoredGeneration stored,
    FilterPlan plan,
    Optional<AdoptedKey> adoptedKey,
    FilterState state,
    List<LayerView> layers,
    boolean grows) {

  /** The most segments whose headers a script reads while it changes the filter. */
  private static final int MAX_ASKED = 64;

  /** Makes the list immutable. */
  public Filter {
    layers = List.copyOf(layers);
  }

  static Filter of(
      FilterName name, FilterPlan plan, Optional<AdoptedKey> adoptedKey, FilterState state) {
    return new Filter(
        new StoredGeneration(name, state.loading().isPresent(), state.version(), state.content()),
        plan,
        adoptedKey,
        state,
        plan.layers().stream().map(layer -> LayerView.of(plan.parameters(), layer)).toList(),
        plan.nextLayer().isPresent());
  }

  /** The same after other segments were written. */
  public Filter withWritten(Written other) {
    return new Filter(stored, plan, adoptedKey, state.withWritten(other), layers, grows);
  }

  public FilterName name() {
    return stored.name();
  }

  /** Whether a rebuild is loading this generation. */
  public boolean isNext() {
    return stored.isNext();
  }

  /** The rebuild that loads it, which must be the next generation. */
  public Loading loading() {
    return state.loading().orElseThrow();
  }

  public ContentId content() {
    return stored.content();
  }

  /** The number of the generation that users see; changes with the content. */
  public long generation() {
    return state.number();
  }

  /** When the filter was created, or the rebuild was opened; by the clock of the instance. */
  public Instant createdAt() {
    return state.createdAt();
  }

  /** When it expires, if ever; loading into a next generation extends it. */
  public Optional<Instant> expiresAt() {
    return state.expiresAt();
  }

  /** The incarnation of the generation that is being loaded, if a rebuild is open. */
  public Optional<String> next() {
    return state.next();
  }

  /** The segments that existed when the state was read. */
  public Written written() {
    return state.written();
  }

  public FilterParameters parameters() {
    return plan.parameters();
  }

  public HashScheme scheme() {
    return parameters().hashScheme();
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
    return layers.size() == 1
        ? parameters
        : parameters
            .growth()
            .orElseThrow()
            .parameters(
                parameters.hashScheme(),
                Math.min(FilterParameters.MAX_EXPECTED_INSERTIONS, expectedInsertions()),
                parameters.falsePositiveProbability());
  }

  /**
   * The library's bitmap with its bits, which other clients change too; empty if it has its own.
   */
  public Optional<AdoptedBitmap> adoptedBitmap() {
    return adoptedKey.filter(key -> !isNext()).map(key -> new AdoptedBitmap(key, parameters()));
  }

  public boolean isAdopted() {
    return adoptedBitmap().isPresent();
  }

  /**
   * Whether its content is one bitmap without header and journal: an adopted one, the replacement
   * of one, or a library's bitmap that is longer than a segment.
   */
  public boolean isRaw() {
    return adoptedKey.isPresent() || shape().segmentBits() > Sizing.MAX_SEGMENT_BITS;
  }

  /** Its content, which must be raw. */
  public RawContent raw() {
    return new RawContent(stored, shape(), adoptedBitmap());
  }

  /** The Redis key of its first bitmap. */
  public String redisKey() {
    return adoptedKey.map(AdoptedKey::redisKey).orElseGet(() -> stored.segmentKey(0));
  }

  /** Whether its number of insertions includes the library's. */
  public boolean countsAllInsertions() {
    return !isAdopted() || scheme().counterKey(adoptedKey.orElseThrow().redisKey()).isPresent();
  }

  /** All written segments, for a script that also reads their headers; none if there are many. */
  public List<Asked> asked() {
    return written().indexes().length > MAX_ASKED ? List.of() : segmentsWithHeader().toList();
  }

  /** All written segments, unless the content is raw. */
  Stream<Asked> segmentsWithHeader() {
    return isRaw()
        ? Stream.of()
        : Arrays.stream(written().indexes())
            .mapToObj(segment -> new Asked(stored, segment, layer(segment).format()));
  }

  /** The layer of a segment, by its index in all layers. */
  public LayerView layer(int segment) {
    return layers.stream()
        .filter(layer -> layer.firstSegment() <= segment)
        .reduce((one, next) -> next)
        .orElseThrow();
  }

  /** Identifies the content until it is dropped. */
  public String incarnation() {
    return content().incarnation();
  }
}
