package io.github.bloomgate.filters;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.Sizing;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.Counting;
import io.github.bloomgate.model.FilterKind;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.IdleExpiry;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.store.AdoptedBitmap;
import io.github.bloomgate.store.FilterState;
import io.github.bloomgate.store.FilterState.Loading;
import io.github.bloomgate.store.FilterStore.Asked;
import io.github.bloomgate.store.StoredContent;
import io.github.bloomgate.store.StoredGeneration;
import io.github.bloomgate.store.Written;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One generation of a filter at one version of its state: the live one, or the next one while a
 * rebuild loads it.
 *
 * @param plan its parameters and layers
 * @param adoptedKey the key of its bits, if it shares them with another library
 * @param state as it was read; by now there may be more segments
 * @param grows whether it can get another layer when the last one is full
 */
public record Generation(
    StoredGeneration stored,
    FilterPlan plan,
    Optional<AdoptedKey> adoptedKey,
    FilterState state,
    boolean grows) {

  /** The most segments whose headers a script reads while it changes the filter. */
  private static final int MAX_ASKED = 64;

  static Generation of(
      FilterName name, FilterPlan plan, Optional<AdoptedKey> adoptedKey, FilterState state) {
    return new Generation(
        new StoredGeneration(name, state.loading().isPresent(), state.version(), state.content()),
        plan,
        adoptedKey,
        state,
        plan.nextLayer().isPresent());
  }

  /** The same after other segments were written. */
  public Generation withWritten(Written other) {
    return new Generation(stored, plan, adoptedKey, state.withWritten(other), grows);
  }

  /** The same content after the rebuild that loaded it was committed. */
  public Generation committed() {
    return new Generation(stored.committed(), plan, adoptedKey, state, grows);
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
  public long number() {
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

  /**
   * How use postpones its expiry, if it does; of a template, how it postpones the expiry of filters
   * created like it.
   */
  public Optional<IdleExpiry> idle() {
    return state.idle();
  }

  /** The expiry of a filter that is created like it, or copied from it. */
  public NewExpiry expiry() {
    return idle().map(NewExpiry::whenIdle).orElseGet(() -> NewExpiry.of(expiresAt()));
  }

  /** The incarnation of the generation that is being loaded, if a rebuild is open. */
  public Optional<String> next() {
    return state.next();
  }

  /** Whether keys that only add may create filters like it. */
  public boolean isTemplate() {
    return state.isTemplate();
  }

  /** The segments that existed when the state was read. */
  public Written written() {
    return state.written();
  }

  public FilterParameters parameters() {
    return plan.parameters();
  }

  public FilterKind kind() {
    return parameters().kind();
  }

  /** From the oldest; a filter that does not grow has one. */
  public List<Layer> layers() {
    return plan.layers();
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

  public boolean isCounting() {
    return kind() instanceof Counting;
  }

  /**
   * The default parameters of a next generation: the same, with one layer for the elements of all
   * current layers.
   */
  public FilterParameters rebuildParameters() {
    var parameters = parameters();
    return layers().size() == 1
        ? parameters
        : kind()
            .parameters(
                parameters.hashScheme(),
                Math.min(FilterParameters.MAX_EXPECTED_INSERTIONS, expectedInsertions()),
                parameters.falsePositiveProbability());
  }

  /** Its content in Redis: raw if it is, or will be, a library's bitmap, or is too long. */
  public StoredContent storedContent() {
    return adoptedKey.isPresent() || shape().segmentBits() > Sizing.MAX_SEGMENT_BITS
        ? new StoredContent.Raw(stored, shape(), adoptedBitmap())
        : new StoredContent.Segmented(stored, plan, written());
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

  /** The Redis key of its first bitmap. */
  public String redisKey() {
    return storedContent().redisKey();
  }

  /** All written segments, for a script that also reads their headers; none if there are many. */
  public List<Asked> asked() {
    return written().indexes().length > MAX_ASKED ? List.of() : storedContent().headers().toList();
  }

  /** The layer of a segment, by its index in all layers. */
  public Layer layer(int segment) {
    return plan.layerOf(segment);
  }

  /** Identifies the content until it is dropped. */
  public String incarnation() {
    return content().incarnation();
  }
}
