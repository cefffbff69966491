package io.github.bloomgate.elements;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.filters.KeptRoom;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** Begins adds of many batches. */
@ApplicationScoped
public class LongAdds {

  private final ElementService elements;
  private final KeptRoom room;

  @Inject
  LongAdds(ElementService elements, BloomgateConfig config) {
    this(elements, config.streams().replayMaxSize().asLongValue());
  }

  /** Those that keep so many bytes together. */
  LongAdds(ElementService elements, long maxBytes) {
    this.elements = elements;
    this.room = new KeptRoom(maxBytes);
  }

  /** Begins an add to a filter; to be closed. */
  public LongAdd begin(FilterName name, Durability durability) {
    return new LongAdd(elements, name, durability, room);
  }
}
