package io.github.bloomgate.filters;

import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.store.FilterState;
import io.github.bloomgate.store.FilterState.Loading;
import io.github.bloomgate.store.FilterStore.Asked;
import io.github.bloomgate.store.StoredGeneration;
import io.github.bloomgate.store.Written;
import java.util.Arrays;
import java.util.List;

/**
 * One generation of a filter at one version of its state.
 *
 * @param state as it was read; by now there may be more segments
 * @param layers from the oldest; a filter that does not grow has one
 * @param grows whether it can get another layer when the last one is full
 */
public record GenerationView(
    StoredGeneration stored,
    Filter filter,
    FilterState state,
    List<LayerView> layers,
    boolean grows) {

  /** The most segments whose headers a script reads while it changes the filter. */
  private static final int MAX_ASKED = 64;

  /** Has the layers not changed by others. */
  public GenerationView {
    layers = List.copyOf(layers);
  }

  /** A generation of a filter with its state. */
  public static GenerationView of(Filter filter, FilterState state) {
    return new GenerationView(
        new StoredGeneration(filter.name(), filter.isNext(), state.version(), state.content()),
        filter,
        state,
        filter.layers().stream().map(layer -> LayerView.of(filter.parameters(), layer)).toList(),
        filter.plan().nextLayer().isPresent());
  }

  /** The rebuild that loads it, which must be the next generation. */
  public Loading loading() {
    return state.loading().orElseThrow();
  }

  /** The segments that existed when the state was read. */
  public Written written() {
    return state.written();
  }

  public HashScheme scheme() {
    return filter.parameters().hashScheme();
  }

  /** All written segments, for a script that also reads their headers; none if there are many. */
  public List<Asked> asked() {
    var segments = written().indexes();
    if (segments.length > MAX_ASKED || filter.isRaw()) {
      return List.of();
    }
    return Arrays.stream(segments).mapToObj(this::asked).toList();
  }

  /** A segment, for a script that reads its header. */
  Asked asked(int segment) {
    return new Asked(stored.content(), segment, layer(segment).format());
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
    return stored.content().incarnation();
  }
}
