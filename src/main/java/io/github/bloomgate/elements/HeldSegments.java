package io.github.bloomgate.elements;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.filters.UnfoldedSegments;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.segment.SegmentFormat;
import io.github.bloomgate.store.Bits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jboss.logging.Logger;

/**
 * The copies of this instance, and the segments that are used bit by bit because reading a copy
 * does not pay off. At the memory limit, a random unused copy is dropped: if more segments are used
 * than fit, dropping the least recently used one would drop each just before its next use. Used
 * only on the thread of the rounds.
 */
final class HeldSegments {

  private static final Logger LOG = Logger.getLogger(HeldSegments.class);

  /** How many copies are examined for an unused one. */
  private static final int TRIES = 32;

  /** Reading a shorter segment always pays off. */
  private static final int SHORT_BYTES = 1 << 16;

  /** Calls per minute without a copy. */
  private static final int RARE = 2;

  private static final int MOST_WATCHED = 10_000;

  /** What a copy takes in addition to its bitmap: objects on the heap, such as its filter. */
  static final long OBJECT_BYTES = 1 << 12;

  /** How long fewer copies are kept after the JVM has refused memory. */
  private static final long SHORTAGE = Duration.ofMinutes(1).toNanos();

  private record Key(String incarnation, int segment) {

    private static Key of(Generation generation, int segment) {
      return new Key(generation.incarnation(), segment);
    }
  }

  private final long limit;
  private final UnfoldedSegments unfolded;
  private final Random random;
  private final Map<Key, HeldSegment> held = new HashMap<>();

  /** The same, in no order, to choose one at random. */
  private final List<HeldSegment> all = new ArrayList<>();

  private final AtomicLong bytes = new AtomicLong();

  /** The bytes of all copies when the JVM last refused memory; the limit if it never has. */
  private long shortBytes;

  private long shortSinceNanos = System.nanoTime();

  /** Calls in the last minute without a copy; more than {@link #RARE} if there must be one. */
  private final Cache<Key, Integer> uses =
      Caffeine.newBuilder()
          .maximumSize(MOST_WATCHED)
          .expireAfterWrite(Duration.ofMinutes(1))
          .build();

  /**
   * @param limit the most bytes of all copies; a single copy may exceed it
   * @param unfolded gets the segments whose copies are dropped before they are folded
   */
  HeldSegments(long limit, UnfoldedSegments unfolded, Random random) {
    this.limit = limit;
    this.unfolded = unfolded;
    this.shortBytes = limit;
    this.random = random;
  }

  /**
   * A segment, with a new empty copy if necessary; empty if used copies leave no room.
   *
   * @throws OutOfMemoryError if there is no memory for the only copy
   */
  Optional<HeldSegment> of(Generation generation, Layer layer, int segment) {
    var key = Key.of(generation, segment);
    var known = held.get(key);
    if (known != null) {
      return Optional.of(known);
    }
    while (makeRoom(layer)) {
      try {
        return Optional.of(hold(key, new HeldSegment(generation, layer, segment)));
      } catch (OutOfMemoryError refused) {
        noteShortage(refused);
      }
    }
    return Optional.empty();
  }

  private HeldSegment hold(Key key, HeldSegment made) {
    held.put(key, made);
    all.add(made);
    bytes.addAndGet(bytes(made.layer()));
    return made;
  }

  /** Network buffers and imports use the same memory, so it can end below the limit. */
  private void noteShortage(OutOfMemoryError refused) {
    if (all.isEmpty()) {
      throw refused;
    }
    if (most() == limit) {
      LOG.warnf(
          "Memory outside the heap is short: %s. Raise -XX:MaxDirectMemorySize, or lower bloomgate.memory.copies.",
          refused.getMessage());
    }
    shortBytes = bytes.get();
    shortSinceNanos = System.nanoTime();
  }

  private long most() {
    return System.nanoTime() - shortSinceNanos < SHORTAGE ? shortBytes : limit;
  }

  private static long bytes(Layer layer) {
    return layer.format().copyBytes() + OBJECT_BYTES;
  }

  /** As of when a copy is, in this version of the filter; empty if there is none. */
  Optional<AsOf> asOf(Generation generation, int segment) {
    return find(generation, segment).flatMap(some -> some.asOf(generation.stored()));
  }

  /** The segment, if it has a copy, which may have to be read. */
  Optional<HeldSegment> find(Generation generation, int segment) {
    return Optional.ofNullable(held.get(Key.of(generation, segment)));
  }

  /** What the copies of all segments of a generation take. */
  static long bytes(Generation generation) {
    var sum = 0L;
    for (var layer : generation.layers()) {
      sum += bytes(layer) * layer.places().segments();
    }
    return sum;
  }

  /** The most bytes of the copies of all watched filters. */
  long mostWatched() {
    return limit / 2;
  }

  /** Whether there is a current copy, or it is being read. */
  boolean isHeld(Generation generation, int segment) {
    var known = held.get(Key.of(generation, segment));
    return known != null && (known.isInUse() || !known.mustRead());
  }

  /** Whether the segment must be read before its copy can be used, and is not being read. */
  boolean isToBeRead(Generation generation, int segment) {
    var known = held.get(Key.of(generation, segment));
    return known == null
        ? generation.written().contains(segment)
        : known.mustRead() && !known.isInUse();
  }

  /**
   * Whether a request that asks no replicas should use a segment without a copy bit by bit.
   *
   * @param elements of the request
   * @param segment its index among the segments of all layers
   */
  boolean isBitByBit(Generation generation, int elements, Layer layer, int segment) {
    var format = layer.format();
    if (!(format.kind() instanceof SegmentFormat.Fixed)
        || !generation.written().contains(segment)) {
      return false;
    }
    var bits = (long) format.numHashFunctions() * elements;
    var known = uses.asMap().getOrDefault(Key.of(generation, segment), 0);
    var isRare =
        known < RARE
            && format.bitmapBytes() > SHORT_BYTES
            && bits / layer.places().segments() <= Bits.MAX_PER_CALL / 2;
    // A copy in use is dropped only for a segment that cannot do without one.
    return isRare
        || (known <= RARE
            && !dropSome(layer, some -> some.isIdle() && !some.freshness().isWatched()));
  }

  /** Counts a call without a copy. */
  void countUse(Generation generation, int segment) {
    uses.asMap()
        .compute(
            Key.of(generation, segment),
            (key, known) -> known == null ? 1 : Math.max(known, Math.min(RARE, known + 1)));
  }

  /** Requires a copy of a segment for the next minute. */
  void requireCopy(Generation generation, int segment) {
    uses.put(Key.of(generation, segment), RARE + 1);
  }

  /** Makes room for another copy; false if used copies leave none. */
  private boolean makeRoom(Layer layer) {
    // A segment whose copy is dropped before it is folded is read again to fold it.
    if (dropSome(layer, some -> some.isFolded() && !some.freshness().isWatched())
        || dropSome(layer, some -> !some.freshness().isWatched())) {
      return true;
    }
    // If the random choices fail, try all. A request must not wait for the end of a watch.
    return dropAny(layer, some -> !some.freshness().isWatched()) || dropAny(layer, some -> true);
  }

  private boolean dropSome(Layer layer, Predicate<HeldSegment> isDroppable) {
    for (var attempt = 0; attempt < TRIES && !fits(layer); attempt++) {
      drop(random.nextInt(all.size()), isDroppable);
    }
    return fits(layer);
  }

  private boolean dropAny(Layer layer, Predicate<HeldSegment> isDroppable) {
    for (var index = all.size() - 1; index >= 0 && !fits(layer); index--) {
      drop(index, isDroppable);
    }
    return fits(layer);
  }

  private boolean fits(Layer layer) {
    return all.isEmpty() || bytes.get() + bytes(layer) <= most();
  }

  private void drop(int index, Predicate<HeldSegment> isDroppable) {
    var some = all.get(index);
    if (some.isInUse() || !isDroppable.test(some)) {
      return;
    }
    var last = all.remove(all.size() - 1);
    if (last != some) {
      all.set(index, last);
    }
    if (!some.isFolded()) {
      unfolded.note(
          some.generation().stored(),
          some.index(),
          some.layer().format(),
          some.copy().storedBytes());
    }
    held.remove(Key.of(some.generation(), some.index()));
    some.copy().close();
    some.requireRead();
    bytes.addAndGet(-bytes(some.layer()));
  }

  List<HeldSegment> all() {
    return List.copyOf(all);
  }

  /** The memory of all copies. Thread-safe. */
  long bytes() {
    return bytes.get();
  }
}
