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
 * What is held only to make the service faster, within the {@link MemoryBudget}. Thread-safe.
 *
 * @param <K> what a copy is of
 * @param <V> copy
 */
public final class Copies<K, V> {

  /** How many of the least used ones are looked at at a time. */
  private static final int AT_A_TIME = 16;

  private final MemoryBudget memory;
  private final ToIntFunction<V> size;
  private final Cache<K, V> held;
  private final Policy.Eviction<K, V> order;

  /**
   * Copies within a budget.
   *
   * @param settings when they go by themselves
   * @param size how many bytes one takes, which never changes
   * @param dropped told of each that is not held any more and was not replaced
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

  /** A copy, which counts as used. */
  public Optional<V> find(K key) {
    return Optional.ofNullable(held.getIfPresent(key));
  }

  /** Puts a copy in; false, and it is not held, if there is no room. */
  public boolean put(K key, V copy) {
    if (!memory.take(Use.COPIES, size.applyAsInt(copy))) {
      return false;
    }
    held.put(key, copy);
    return true;
  }

  /** Drops a copy. */
  public void drop(K key) {
    held.invalidate(key);
  }

  /** All that are held; looking at them does not count as using them. */
  public Map<K, V> all() {
    return Map.copyOf(held.asMap());
  }

  /** How many bytes are held. */
  public long bytes() {
    return order.weightedSize().orElse(0);
  }

  /** Drops those used least until so many bytes are free, or nothing is left. */
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
