package io.github.bloomgate.filters;

import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.store.StoredGeneration;
import io.github.bloomgate.store.Written;
import java.util.List;

/**
 * One generation of a filter at one version of its state.
 *
 * @param layers from the oldest; a filter that does not grow has one
 * @param grows whether it can get another layer when the last one is full
 * @param written the segments that existed when the state was read; there may be more by now
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

  public HashScheme scheme() {
    return filter.parameters().hashScheme();
  }

  /** Identifies the content until it is dropped. */
  public String incarnation() {
    return stored.content().incarnation();
  }
}
