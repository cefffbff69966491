package io.github.bloomgate.filters;

import io.github.bloomgate.model.StoreMemory;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.MemoryLeft;
import io.smallrye.mutiny.Uni;
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
  public Uni<Long> filters(List<String> prefixes) {
    return Uni.join()
        .all(prefixes.stream().map(names::count).toList())
        .andFailFast()
        .map(counts -> counts.stream().mapToLong(Long::longValue).sum());
  }

  /** The memory of Redis. */
  public Uni<StoreMemory> memory() {
    return memory.read();
  }
}
