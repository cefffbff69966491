package io.github.bloomgate.memory;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.github.bloomgate.memory.MemoryBudget.Use;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;

/**
 * A cache within the {@link MemoryBudget}. Thread-safe.
 *
 * @param <K> keys
 * @param <V> copies
 */
public final class Copies<K, V> {

  /** How many of the least recently used copies are examined at a time. */
  private static final int AT_A_TIME = 16;

  private final MemoryBudget memory;
  private final ToIntFunction<V> size;
  private final Cache<K, V> held;
  private final Policy.Eviction<K, V> order;

  /**
   * Creates an empty cache.
   *
   * @param settings when copies expire
   * @param size the bytes of a copy, which never change
   * @param dropped called for each copy that was removed and not replaced
   */
  public Copies(
      MemoryBudget memory,
      Caffeine<Object, Object> settings,
      ToIntFunction<V> size,
      BiConsumer<K, V> dropped) {
    this.memory = memory;
    this.size = size;
    this.held =
        settings
            .maximumWeight(memory.mostCopies())
            .weigher((K key, V copy) -> size.applyAsInt(copy))
            .executor(Runnable::run)
            .removalListener(
                (K key, V copy, RemovalCause cause) -> {
                  memory.giveBack(Use.COPIES, size.applyAsInt(copy));
                  if (cause != RemovalCause.REPLACED) {
                    dropped.accept(key, copy);
                  }
                })
            .build();
    this.order = held.policy().eviction().orElseThrow();
  }

  /** Finds a copy and marks it as used. */
  public Optional<V> find(K key) {
    return Optional.ofNullable(held.getIfPresent(key));
  }

  /** Stores a copy; false, and nothing is stored, if there is no room. */
  public boolean put(K key, V copy) {
    if (!memory.take(Use.COPIES, size.applyAsInt(copy))) {
      return false;
    }
    held.put(key, copy);
    return true;
  }

  public void drop(K key) {
    held.invalidate(key);
  }

  /** All copies. Does not mark them as used. */
  public Map<K, V> all() {
    return Map.copyOf(held.asMap());
  }

  public long bytes() {
    return order.weightedSize().orElse(0);
  }

  /** Drops the least recently used copies until enough bytes are free or nothing is left. */
  public void free(long bytes) {
    var left = bytes;
    while (left > 0) {
      var coldest = order.coldest(AT_A_TIME);
      if (coldest.isEmpty()) {
        return;
      }
      for (var one : coldest.entrySet()) {
        if (left > 0 && held.asMap().remove(one.getKey(), one.getValue())) {
          left -= size.applyAsInt(one.getValue());
        }
      }
    }
  }
}
