package io.github.bloomgate.filters;

import io.github.bloomgate.model.StoreMemory;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.MemoryLeft;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** How many filters there are and how much memory Redis has, by a few calls that are cheap. */
@ApplicationScoped
public class OverviewService {

  private final Catalogue names;
  private final MemoryLeft memory;

  OverviewService(Catalogue names, MemoryLeft memory) {
    this.names = names;
    this.memory = memory;
  }

  /**
   * How many filters have names that begin with one of some prefixes, none of which begins with
   * another. One that has expired counts until somebody looks at it.
   */
  public long filters(List<String> prefixes) {
    return prefixes.stream().mapToLong(names::count).sum();
  }

  /** The memory of Redis. */
  public StoreMemory memory() {
    return memory.read();
  }
}
