package io.github.bloomgate.elements;

import io.github.bloomgate.filters.Attempts;
import io.github.bloomgate.filters.ChangeReplies;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.FilterStates;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.filters.Ledger;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.MemoryLeft;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Adds layers to filters that grow. */
@ApplicationScoped
public class LayerOpener {

  private final LiveFilters live;
  private final FilterStore store;
  private final FilterStates states;
  private final ChangeReplies changes;
  private final Ledger ledger;
  private final MemoryLeft memory;
  private final Clock clock;

  public LayerOpener(
      LiveFilters live,
      FilterStore store,
      FilterStates states,
      ChangeReplies changes,
      Ledger ledger,
      MemoryLeft memory,
      Clock clock) {
    this.live = live;
    this.store = store;
    this.states = states;
    this.changes = changes;
    this.ledger = ledger;
    this.memory = memory;
    this.clock = clock;
  }

  /**
   * Adds a layer to a generation unless it has more layers by now, cannot grow further, or was
   * replaced. Blocks.
   *
   * @throws io.github.bloomgate.model.error.BloomException STORE_FULL, LIMIT_EXCEEDED, and the
   *     failures of reading a filter
   */
  void grow(FilterName name, Generation known) {
    for (var attempts = new Attempts(live, name); ; ) {
      var found = attempts.next();
      var now =
          found.generations().stream()
              .filter(some -> some.incarnation().equals(known.incarnation()))
              .findFirst();
      var layer = now.flatMap(some -> some.plan().nextLayer());
      if (layer.isEmpty() || now.get().layers().size() > known.layers().size()) {
        return;
      }
      if (grow(found, now.get(), layer.get())) {
        return;
      }
    }
  }

  /** Makes one attempt; false if the filter changed. */
  private boolean grow(Filter found, Generation generation, Layer layer) {
    memory.require(generation.name(), List.of(layer));
    var plan = generation.plan().with(layer.openedAt(Optional.of(clock.instant())));
    var definition = states.definition(plan, generation.adoptedKey());
    var bytes = Math.max(generation.sizeBytes() + layer.shape().sizeBytes(), found.sizeBytes());
    var entry = ledger.enlarge(found.live(), bytes, Ledger.NO_LAYER);
    try {
      return changes.isDone(
          generation.name(), store.grow(generation.stored(), ContentId.newId(), definition));
    } finally {
      live.forget(generation.name());
      ledger.settle(generation.name(), entry, Optional.empty());
    }
  }
}
