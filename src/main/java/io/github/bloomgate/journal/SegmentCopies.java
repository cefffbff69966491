package io.github.bloomgate.journal;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.memory.Copies;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.Filter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/**
 * The copies that this instance holds, of the segments that it uses most. Those used least go when
 * there are too many.
 */
@ApplicationScoped
public class SegmentCopies {

  /** The largest segment that is copied: what one read can carry. */
  public static final int MAX_SEGMENT_BYTES = 1 << 21;

  private static final int MAX_WATCHED = 10_000;
  private static final Duration WATCH = Duration.ofMinutes(1);
  private static final Duration UNUSED = Duration.ofMinutes(10);
  private static final Duration REPLACEMENT = Duration.ofMillis(500);

  private final MemoryBudget memory;
  private final boolean isOn;
  private final AtomicLong replacedAt = new AtomicLong(System.nanoTime());
  private final Copies<SegmentKey, SegmentCopy> copies;
  private volatile BiConsumer<SegmentKey, SegmentCopy> dropped = (key, copy) -> {};
  private final Cache<SegmentKey, Misses> watched =
      Caffeine.newBuilder().maximumSize(MAX_WATCHED).expireAfterWrite(WATCH).build();

  @Inject
  SegmentCopies(BloomgateConfig config, MemoryBudget memory, MeterRegistry metrics) {
    this(config.speed().copies(), memory, metrics);
  }

  /** Holds copies as there is memory, or none. */
  public SegmentCopies(boolean isOn, MemoryBudget memory, MeterRegistry metrics) {
    this.isOn = isOn;
    this.memory = memory;
    this.copies =
        new Copies<>(
            memory,
            Caffeine.newBuilder().expireAfterAccess(UNUSED),
            SegmentCopy::bytes,
            (key, copy) -> {
              copy.drop();
              dropped.accept(key, copy);
            });
    Gauge.builder("bloom.copies.bytes", copies, Copies::bytes)
        .description("Bytes of segments that are held in memory and follow their journals.")
        .baseUnit("bytes")
        .register(metrics);
  }

  /** Whether copies of a filter's segments may be held at all. */
  public boolean takes(Filter filter) {
    // Others set bits of an adopted bitmap without a word of it.
    return isOn && canBeJournaled(filter) && filter.sizeBytes() <= memory.mostCopies();
  }

  /** Whether there may be a copy of one of a filter's segments, at least for a moment. */
  public boolean canServe(Filter filter) {
    return isOn && canBeJournaled(filter);
  }

  /** Whether instances of the service may journal what they add to a filter. */
  public static boolean canBeJournaled(Filter filter) {
    return !filter.isAdopted() && filter.shape().segmentBytes() <= MAX_SEGMENT_BYTES;
  }

  /** The copy of a segment. */
  public Optional<SegmentCopy> find(SegmentKey key) {
    return copies.find(key);
  }

  /**
   * Counts elements that were looked for or added without a copy.
   *
   * @return true when the segment should have one
   */
  public boolean missed(SegmentKey key, int elements) {
    var bytes = key.shape().segmentBytes();
    var isDue = watched.get(key, ignored -> new Misses()).add(elements, bytes);
    if (isDue) {
      watched.invalidate(key);
    }
    return isDue && hasRoom(bytes);
  }

  /**
   * Where there is none, a copy may take the place of another now and then, so that the most used
   * ones stay.
   */
  private boolean hasRoom(long bytes) {
    if (memory.taken(MemoryBudget.Use.COPIES) + bytes <= memory.mostCopies()) {
      return true;
    }
    var last = replacedAt.get();
    var now = System.nanoTime();
    return now - last > REPLACEMENT.toNanos() && replacedAt.compareAndSet(last, now);
  }

  /** Holds a copy, in the place of others if need be; false if there is no memory for it. */
  public boolean put(SegmentKey key, SegmentCopy copy) {
    if (copies.put(key, copy)) {
      return true;
    }
    copies.free(copy.bytes());
    return copies.put(key, copy);
  }

  /** Names what is told of each copy that is not held any more. */
  public void onDropped(BiConsumer<SegmentKey, SegmentCopy> listener) {
    dropped = listener;
  }

  /** Drops a copy. */
  public void drop(SegmentKey key) {
    copies.drop(key);
  }

  /** All that are held. */
  public Map<SegmentKey, SegmentCopy> all() {
    return copies.all();
  }
}
