package io.github.bloomgate.filters;

import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.store.StoredGeneration;
import io.github.bloomgate.store.Written;
import java.util.List;

/**
 * One generation of a filter, as of one version of its state.
 *
 * @param filter what it is like
 * @param layers from the oldest; a filter that does not grow has one
 * @param grows whether it can get another layer when the last one is full
 * @param written the segments that were there when the state was read; there may be more by now
 */
public record GenerationView(
    StoredGeneration stored,
    Filter filter,
    List<LayerView> layers,
    boolean grows,
    Written written) {

  /** Has the layers not changed by others. */
  public GenerationView {
    layers = List.copyOf(layers);
  }

  /** Where the bits of an element are. */
  public HashScheme scheme() {
    return filter.parameters().hashScheme();
  }

  /** Names the content: it stays the same until the content is dropped. */
  public String incarnation() {
    return stored.content().incarnation();
  }
}
