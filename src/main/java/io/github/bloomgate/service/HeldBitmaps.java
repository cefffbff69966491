package io.github.bloomgate.service;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Scheduler;
import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.filter.Generation;
import io.github.bloomgate.store.SegmentStore;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Bitmaps of segments as this service wrote them last, for the next large add to begin with.
 *
 * <p>One may be out of date, and nobody else may use one while it is changed: so it is taken out,
 * and put back when Redis has confirmed it. Bounded in bytes; what nobody uses for a while goes.
 */
final class HeldBitmaps {

  private static final Duration UNUSED = Duration.ofSeconds(30);

  private final Cache<Key, Held> held;

  HeldBitmaps(long maxBytes) {
    this.held =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher((Key key, Held one) -> one.bits().length)
            .expireAfterWrite(UNUSED)
            .scheduler(Scheduler.systemScheduler())
            .build();
  }

  /** Takes the bitmap of a segment out, if it is held. */
  Optional<Held> take(Filter filter, int segment) {
    return Optional.ofNullable(held.asMap().remove(new Key(filter.generation(), segment)));
  }

  /** Puts a bitmap in, as it is in Redis. */
  void put(Filter filter, int segment, Held one) {
    held.put(new Key(filter.generation(), segment), one);
  }

  /**
   * A bitmap.
   *
   * @param bits the whole of it
   * @param bitsSet how many are 1
   * @param epoch of the connection when it was read or written, see {@link SegmentStore#epoch}
   */
  record Held(byte[] bits, long bitsSet, OptionalLong epoch) {}

  private record Key(Generation generation, int segment) {}
}
