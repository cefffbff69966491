package io.github.bloomgate.service;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Scheduler;
import io.github.bloomgate.filter.BitmapVersion;
import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.filter.FilterName;
import io.github.bloomgate.filter.Generation;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.memory.Copies;
import io.github.bloomgate.memory.MemoryBudget;
import java.time.Duration;
import java.util.Optional;

/**
 * Bitmaps of segments as this service wrote them last, for the next large add to begin with.
 *
 * <p>One may be out of date, and nobody else may use one while it is changed: so it is taken out,
 * and put back when Redis has confirmed it. What nobody uses for a while goes.
 */
final class HeldBitmaps {

  private static final Duration UNUSED = Duration.ofSeconds(30);

  private final Copies<Key, Held> held;

  HeldBitmaps(MemoryBudget memory) {
    this.held =
        new Copies<>(
            memory,
            Caffeine.newBuilder().expireAfterWrite(UNUSED).scheduler(Scheduler.systemScheduler()),
            one -> one.bits().length);
  }

  /** Takes the bitmap of a segment out, if it is held. */
  Optional<Held> take(Filter filter, int segment) {
    return held.take(Key.of(filter, segment));
  }

  /** Puts a bitmap in, as it is in Redis, if there is room. */
  void put(Filter filter, int segment, Held one) {
    held.put(Key.of(filter, segment), one);
  }

  /**
   * A bitmap.
   *
   * @param bits the whole of it
   * @param version the one it has in Redis
   */
  record Held(byte[] bits, BitmapVersion version) {}

  private record Key(FilterName name, Generation generation, FilterShape shape, int segment) {
    private static Key of(Filter filter, int segment) {
      return new Key(filter.name(), filter.generation(), filter.shape(), segment);
    }
  }
}
