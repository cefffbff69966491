package io.github.bloomgate.filters;

import io.github.bloomgate.model.StoreMemory;
import io.github.bloomgate.store.MemoryLeft;
import io.github.bloomgate.store.Names;
import io.github.bloomgate.threads.Recent;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;

/** The number of filters and the memory of Redis, by a few cheap calls. */
@ApplicationScoped
public class OverviewService {

  /** Sets of prefixes; each key has one. */
  private static final int MOST = 256;

  private static final String MEMORY = "memory";

  private final Names names;
  private final MemoryLeft memory;
  private final Recent<List<String>, Long> counts = new Recent<>(MOST);
  private final Recent<String, StoreMemory> memories = new Recent<>(1);

  OverviewService(Names names, MemoryLeft memory) {
    this.names = names;
    this.memory = memory;
  }

  /**
   * Counts the filters whose names begin with one of some prefixes. An expired filter counts until
   * it is noticed.
   *
   * @param prefixes none begins with another
   * @param age how old the answer may be
   */
  public long filters(List<String> prefixes, Duration age) {
    return counts.get(prefixes, age, () -> names.count(prefixes));
  }

  /**
   * Reads the memory of Redis.
   *
   * @param age how old the answer may be
   */
  public StoreMemory memory(Duration age) {
    return memories.get(MEMORY, age, memory::read);
  }
}
