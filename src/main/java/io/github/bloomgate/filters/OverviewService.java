package io.github.bloomgate.filters;

import io.github.bloomgate.model.StoreMemory;
import io.github.bloomgate.store.Catalogue;
import io.github.bloomgate.store.MemoryLeft;
import io.github.bloomgate.threads.Recent;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;

/** How many filters there are and how much memory Redis has, by a few calls that are cheap. */
@ApplicationScoped
public class OverviewService {

  /** Sets of prefixes, of which each key has one. */
  private static final int MOST = 256;

  private static final String MEMORY = "memory";

  private final Catalogue names;
  private final MemoryLeft memory;
  private final Recent<List<String>, Long> counts = new Recent<>(MOST);
  private final Recent<String, StoreMemory> memories = new Recent<>(1);

  OverviewService(Catalogue names, MemoryLeft memory) {
    this.names = names;
    this.memory = memory;
  }

  /**
   * How many filters have names that begin with one of some prefixes, none of which begins with
   * another. One that has expired counts until somebody looks at it.
   *
   * @param age how old the answer may be
   */
  public long filters(List<String> prefixes, Duration age) {
    return counts.get(prefixes, age, () -> prefixes.stream().mapToLong(names::count).sum());
  }

  /**
   * The memory of Redis.
   *
   * @param age how old the answer may be
   */
  public StoreMemory memory(Duration age) {
    return memories.get(MEMORY, age, memory::read);
  }
}
