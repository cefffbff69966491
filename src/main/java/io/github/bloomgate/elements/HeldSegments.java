package io.github.bloomgate.elements;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.LayerView;
import io.github.bloomgate.segment.SegmentFormat;
import io.github.bloomgate.store.SegmentBits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * The copies of this instance, and the segments that are used bit by bit because reading a copy
 * does not pay off. At the memory limit, a random unused copy is dropped: if more segments are used
 * than fit, dropping the least recently used one would drop each just before its next use. Used
 * only on the thread of the rounds.
 */
final class HeldSegments {

  /** How many copies are examined for an unused one. */
  private static final int TRIES = 32;

  /** Reading a shorter segment always pays off. */
  private static final int SHORT_BYTES = 1 << 16;

  /** Calls per minute without a copy. */
  private static final int RARE = 2;

  private static final int MOST_WATCHED = 10_000;

  private record Key(String incarnation, int segment) {

    private static Key of(Filter generation, int segment) {
      return new Key(generation.incarnation(), segment);
    }
  }

  private final long limit;
  private final Random random;
  private final Map<Key, HeldSegment> held = new HashMap<>();

  /** The same, in no order, to choose one at random. */
  private final List<HeldSegment> all = new ArrayList<>();

  private final AtomicLong bytes = new AtomicLong();

  /** Calls in the last minute without a copy; more than {@link #RARE} if there must be one. */
  private final Cache<Key, Integer> uses =
      Caffeine.newBuilder()
          .maximumSize(MOST_WATCHED)
          .expireAfterWrite(Duration.ofMinutes(1))
          .build();

  /**
   * @param limit the most bytes of all copies; a single copy may exceed it
   */
  HeldSegments(long limit, Random random) {
    this.limit = limit;
    this.random = random;
  }

  /** A segment, with a new empty copy if necessary; empty if used copies leave no room. */
  Optional<HeldSegment> of(Filter generation, LayerView layer, int segment) {
    var key = Key.of(generation, segment);
    var known = held.get(key);
    if (known != null) {
      return Optional.of(known);
    }
    if (!makeRoom(layer)) {
      return Optional.empty();
    }
    var made = new HeldSegment(generation, layer, segment);
    held.put(key, made);
    all.add(made);
    bytes.addAndGet(layer.format().bitmapBytes());
    return Optional.of(made);
  }

  /** Whether there is a current copy, or it is being read. */
  boolean isHeld(Filter generation, int segment) {
    var known = held.get(Key.of(generation, segment));
    return known != null && (known.isInUse() || !known.mustRead());
  }

  /**
   * Whether a request that asks no replicas should use a segment without a copy bit by bit.
   *
   * @param segment its index among the segments of all layers
   */
  boolean isBitByBit(ElementPart part, LayerView layer, int segment) {
    var format = layer.format();
    if (!(format.kind() instanceof SegmentFormat.Fixed)
        || !part.generation().written().contains(segment)) {
      return false;
    }
    var bits = (long) format.numHashFunctions() * part.count();
    var known = uses.asMap().getOrDefault(Key.of(part.generation(), segment), 0);
    var isRare =
        known < RARE
            && format.bitmapBytes() > SHORT_BYTES
            && bits / layer.places().segments() <= SegmentBits.MAX_BITS / 2;
    // A copy in use is dropped only for a segment that cannot do without one.
    return isRare || (known <= RARE && !dropSome(layer, HeldSegment::isIdle));
  }

  /** Counts a call without a copy. */
  void countUse(Filter generation, int segment) {
    uses.asMap()
        .compute(
            Key.of(generation, segment),
            (key, known) -> known == null ? 1 : Math.max(known, Math.min(RARE, known + 1)));
  }

  /** Requires a copy of a segment for the next minute. */
  void requireCopy(Filter generation, int segment) {
    uses.put(Key.of(generation, segment), RARE + 1);
  }

  /** Makes room for another copy; false if used copies leave none. */
  private boolean makeRoom(LayerView layer) {
    // A segment whose copy is dropped before it is folded keeps its journal.
    if (dropSome(layer, HeldSegment::isFolded) || dropSome(layer, some -> true)) {
      return true;
    }
    // If the random choices fail, try all.
    for (var index = all.size() - 1; index >= 0 && !fits(layer); index--) {
      drop(index, some -> true);
    }
    return fits(layer);
  }

  private boolean dropSome(LayerView layer, Predicate<HeldSegment> isDroppable) {
    for (var attempt = 0; attempt < TRIES && !fits(layer); attempt++) {
      drop(random.nextInt(all.size()), isDroppable);
    }
    return fits(layer);
  }

  private boolean fits(LayerView layer) {
    return all.isEmpty() || bytes.get() + layer.format().bitmapBytes() <= limit;
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
    held.remove(Key.of(some.generation(), some.index()));
    some.copy().close();
    some.requireRead();
    bytes.addAndGet(-some.layer().format().bitmapBytes());
  }

  List<HeldSegment> all() {
    return List.copyOf(all);
  }

  /** The bytes of all copies. Thread-safe. */
  long bytes() {
    return bytes.get();
  }
}
