package io.github.bloomgate.elements;

import io.github.bloomgate.filters.GenerationView;
import io.github.bloomgate.filters.LayerView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The copies of this instance. At the memory limit, a random unused copy is dropped: if more
 * segments are used than fit, dropping the least recently used one would drop each just before its
 * next use. Used only on the thread of the rounds.
 */
final class HeldSegments {

  /** How many copies are examined for an unused one. */
  private static final int TRIES = 32;

  /** A segment of a generation. */
  record Key(String incarnation, int segment) {

    static Key of(GenerationView generation, int segment) {
      return new Key(generation.incarnation(), segment);
    }
  }

  private final long limit;
  private final Random random;
  private final Map<Key, HeldSegment> held = new HashMap<>();
  private final List<Key> keys = new ArrayList<>();
  private final AtomicLong bytes = new AtomicLong();

  /**
   * @param limit the most bytes of all copies; a single copy may exceed it
   */
  HeldSegments(long limit, Random random) {
    this.limit = limit;
    this.random = random;
  }

  /** A segment, with a new empty copy if necessary; empty if used copies leave no room. */
  Optional<HeldSegment> of(GenerationView generation, LayerView layer, int segment) {
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
    keys.add(key);
    bytes.addAndGet(layer.format().bitmapBytes());
    return Optional.of(made);
  }

  /** Whether there is a current copy, or it is being read. */
  boolean isHeld(GenerationView generation, int segment) {
    var known = held.get(Key.of(generation, segment));
    return known != null && (known.isInUse() || !known.mustRead());
  }

  /** Makes room for another copy; false if used copies leave none. */
  boolean makeRoom(LayerView layer) {
    var needed = layer.format().bitmapBytes();
    for (var attempt = 0;
        attempt < TRIES && bytes.get() + needed > limit && !keys.isEmpty();
        attempt++) {
      dropUnused(random.nextInt(keys.size()));
    }
    // If the random choices fail, try all.
    for (var index = keys.size() - 1; index >= 0 && bytes.get() + needed > limit; index--) {
      dropUnused(index);
    }
    return keys.isEmpty() || bytes.get() + needed <= limit;
  }

  private void dropUnused(int index) {
    if (held.get(keys.get(index)).isInUse()) {
      return;
    }
    var last = keys.remove(keys.size() - 1);
    var dropped = index == keys.size() ? last : keys.set(index, last);
    var unused = held.remove(dropped);
    unused.copy().free();
    unused.requireRead();
    bytes.addAndGet(-unused.layer().format().bitmapBytes());
  }

  List<HeldSegment> all() {
    return List.copyOf(held.values());
  }

  /** The bytes of all copies. Thread-safe. */
  long bytes() {
    return bytes.get();
  }
}
