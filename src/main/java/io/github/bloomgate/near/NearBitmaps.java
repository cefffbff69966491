package io.github.bloomgate.near;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.filter.Filter;
import io.github.bloomgate.filter.FilterName;
import io.github.bloomgate.filter.Generation;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.memory.Copies;
import io.github.bloomgate.memory.MemoryBudget;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The copies that this instance holds, of the segments that it tests most. Those used least go when
 * there are too many. Another generation of a segment is another copy, and so is a segment of
 * another filter or of another length, whatever its generation.
 */
@ApplicationScoped
public class NearBitmaps {

  /** The largest segment that is copied: what one read can carry. */
  private static final long MAX_SEGMENT_BYTES = 1 << 21;

  private static final int MAX_WATCHED = 10_000;
  private static final Duration WATCH = Duration.ofMinutes(1);
  private static final Duration UNUSED = Duration.ofMinutes(10);
  private static final Duration REPLACEMENT = Duration.ofMillis(500);

  private final MemoryBudget memory;
  private final boolean isOn;
  private final AtomicLong replacedAt = new AtomicLong(System.nanoTime());
  private final Copies<Key, NearBitmap> copies;
  private final Cache<Key, Misses> watched =
      Caffeine.newBuilder().maximumSize(MAX_WATCHED).expireAfterWrite(WATCH).build();

  @Inject
  NearBitmaps(BloomgateConfig config, MemoryBudget memory, MeterRegistry metrics) {
    this(config.speed().copies(), memory, metrics);
  }

  /** Holds copies as there is memory, or none. */
  public NearBitmaps(boolean isOn, MemoryBudget memory, MeterRegistry metrics) {
    this.isOn = isOn;
    this.memory = memory;
    this.copies =
        new Copies<>(memory, Caffeine.newBuilder().expireAfterAccess(UNUSED), NearBitmap::bytes);
    Gauge.builder("bloom.near.bytes", copies, Copies::bytes)
        .description("Bytes of bitmaps that are held near the service")
        .baseUnit("bytes")
        .register(metrics);
  }

  /** Whether a copy of a segment may be held at all. */
  public boolean takes(Filter filter) {
    // Others set bits of an adopted bitmap without counting them; a next generation is not tested.
    return isOn
        && !filter.isAdopted()
        && !filter.isNext()
        && filter.shape().segmentBytes() <= MAX_SEGMENT_BYTES
        // Copies of a larger filter would only drive each other out.
        && filter.shape().sizeBytes() <= memory.most();
  }

  /** Whether there may be copies of a filter's segments by now. */
  public boolean holds(Filter filter) {
    return !copies.isEmpty() && takes(filter);
  }

  /** The copy of a segment, loaded or not. */
  public Optional<NearBitmap> find(Filter filter, int segment) {
    return find(filter.name(), filter.generation(), filter.shape(), segment);
  }

  /** Likewise. */
  public Optional<NearBitmap> find(
      FilterName name, Generation generation, FilterShape shape, int segment) {
    return copies.find(new Key(name, generation, shape, segment));
  }

  /**
   * Counts elements tested in Redis for want of a copy.
   *
   * @return true once, when the segment should be copied
   */
  public boolean missed(Filter filter, int segment, int elements) {
    var key = Key.of(filter, segment);
    var misses = watched.get(key, ignored -> new Misses());
    var isDue = misses.add(elements, filter.shape().segmentBytes());
    if (isDue) {
      watched.invalidate(key);
    }
    return isDue && hasRoom(filter.shape().segmentBytes());
  }

  /**
   * Where there is none, a copy may take the place of another now and then, so that they can
   * settle.
   */
  private boolean hasRoom(long bytes) {
    if (memory.taken(MemoryBudget.Use.COPIES) + bytes <= memory.most()) {
      return true;
    }
    var last = replacedAt.get();
    var now = System.nanoTime();
    return now - last > REPLACEMENT.toNanos() && replacedAt.compareAndSet(last, now);
  }

  /**
   * Makes a place for a copy, in place of one that is out of date; it takes note of adds from now
   * on and waits to be loaded.
   *
   * @return empty if others need the memory
   */
  public Optional<NearBitmap> open(Filter filter, int segment) {
    var key = Key.of(filter, segment);
    var misses = copies.take(key).map(NearBitmap::misses).orElseGet(Misses::new);
    var copy = new NearBitmap(filter.shape().segmentBits(), misses);
    if (copies.put(key, copy)) {
      return Optional.of(copy);
    }
    copies.free(copy.bytes());
    return copies.put(key, copy) ? Optional.of(copy) : Optional.empty();
  }

  /** Drops a copy. */
  public void drop(Filter filter, int segment) {
    copies.drop(Key.of(filter, segment));
  }

  private record Key(FilterName name, Generation generation, FilterShape shape, int segment) {
    private static Key of(Filter filter, int segment) {
      return new Key(filter.name(), filter.generation(), filter.shape(), segment);
    }
  }
}
