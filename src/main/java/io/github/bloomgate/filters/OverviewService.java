package io.github.bloomgate.filters;

import io.github.bloomgate.model.StoreMemory;
import io.github.bloomgate.store.MemoryLeft;
import io.github.bloomgate.store.NameStore;
import io.github.bloomgate.store.RedisWarnings;
import io.github.bloomgate.threads.Recent;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;

/** The number of filters and the memory of Redis, from a few cheap calls. */
@ApplicationScoped
public class OverviewService {

  /** The most cached sets of prefixes; each key has one. */
  private static final int MOST = 256;

  private static final String MEMORY = "memory";

  private final NameStore names;
  private final MemoryLeft memory;
  private final RedisWarnings warnings;
  private final Recent<List<String>, Long> counts = new Recent<>(MOST);
  private final Recent<String, StoreMemory> memories = new Recent<>(1);

  OverviewService(NameStore names, MemoryLeft memory, RedisWarnings warnings) {
    this.names = names;
    this.memory = memory;
    this.warnings = warnings;
  }

  /**
   * Counts the filters whose names have one of the prefixes, perhaps including expired ones.
   *
   * @param prefixes none a prefix of another
   * @param age the greatest age of the result
   */
  public long filters(List<String> prefixes, Duration age) {
    return counts.get(prefixes, age, () -> names.count(prefixes));
  }

  /** A sentence for each setting of Redis that endangers filters, as of the last check. */
  public List<String> warnings() {
    return warnings.known();
  }

  /**
   * Reads the memory of Redis.
   *
   * @param age the greatest age of the result
   */
  public StoreMemory memory(Duration age) {
    return memories.get(MEMORY, age, memory::read);
  }
}
