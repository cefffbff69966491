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
 * The copies that this instance holds. When they take more memory than they may, copies that are
 * not in use make room, at random: with more segments in use than fit, dropping the least recently
 * used one would drop each just before its next use. Used on the thread of the rounds only.
 */
final class HeldSegments {

  /** How many copies are looked at for one that is not in use. */
  private static final int LOOKS = 32;

  private record Key(String incarnation, int segment) {}

  private final long limit;
  private final Random random;
  private final Map<Key, HeldSegment> held = new HashMap<>();
  private final List<Key> keys = new ArrayList<>();
  private final AtomicLong bytes = new AtomicLong();

  /**
   * No copies yet.
   *
   * @param limit how many bytes they may take together; a single copy may exceed it
   */
  HeldSegments(long limit, Random random) {
    this.limit = limit;
    this.random = random;
  }

  /** A segment, with an empty copy if it was not held; empty if copies in use leave no room. */
  Optional<HeldSegment> of(GenerationView generation, LayerView layer, int segment) {
    var key = new Key(generation.incarnation(), segment);
    var known = held.get(key);
    if (known != null) {
      return Optional.of(known);
    }
    var needed = layer.format().copyBytes();
    if (!makeRoom(layer)) {
      return Optional.empty();
    }
    var made = new HeldSegment(generation, layer, segment);
    held.put(key, made);
    keys.add(key);
    bytes.addAndGet(needed);
    return Optional.of(made);
  }

  /** Whether there is a copy that need not be read, or is being read. */
  boolean isHeld(GenerationView generation, int segment) {
    var known = held.get(new Key(generation.incarnation(), segment));
    return known != null && (known.isInUse() || !known.mustRead());
  }

  /** Makes room for another copy; false if the copies in use leave none. */
  boolean makeRoom(LayerView layer) {
    var needed = layer.format().copyBytes();
    makeRoom(needed);
    return keys.isEmpty() || bytes.get() + needed <= limit;
  }

  private void makeRoom(int needed) {
    for (var look = 0; look < LOOKS && bytes.get() + needed > limit && !keys.isEmpty(); look++) {
      dropUnused(random.nextInt(keys.size()));
    }
    // Bad luck must not stop a request if a single copy would make room.
    for (var index = keys.size() - 1; index >= 0 && bytes.get() + needed > limit; index--) {
      dropUnused(index);
    }
  }

  private void dropUnused(int index) {
    if (held.get(keys.get(index)).isInUse()) {
      return;
    }
    var last = keys.remove(keys.size() - 1);
    var dropped = index == keys.size() ? last : keys.set(index, last);
    var unused = held.remove(dropped);
    unused.copy().free();
    bytes.addAndGet(-unused.layer().format().copyBytes());
  }

  /** All copies. */
  List<HeldSegment> all() {
    return List.copyOf(held.values());
  }

  /** How many bytes they take. On any thread. */
  long bytes() {
    return bytes.get();
  }
}
