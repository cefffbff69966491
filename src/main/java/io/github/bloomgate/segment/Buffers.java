package io.github.bloomgate.segment;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * A pool of off-heap memory. Without it, unused memory would stay allocated until the next garbage
 * collection of the heap. Thread-safe.
 */
final class Buffers {

  /** Large buffers are multiples of this, so that different filters can share them. */
  private static final int UNIT = 1 << 16;

  /** The most bytes kept for reuse. */
  private static final int MOST_FREE = 1 << 24;

  private static final byte[] ZEROS = new byte[UNIT];

  private static final Map<Integer, Deque<ByteBuffer>> FREE = new HashMap<>();
  private static int freeBytes;

  private Buffers() {}

  /** A buffer of at least {@code length} zeros. */
  static ByteBuffer take(int length) {
    if (length < UNIT) {
      return ByteBuffer.allocateDirect(length);
    }
    var rounded = (length + UNIT - 1) / UNIT * UNIT;
    var used = takeFree(rounded);
    if (used == null) {
      return ByteBuffer.allocateDirect(rounded);
    }
    for (var at = 0; at < rounded; at += UNIT) {
      used.put(at, ZEROS);
    }
    return used;
  }

  private static synchronized ByteBuffer takeFree(int capacity) {
    var free = FREE.get(capacity);
    if (free == null) {
      return null;
    }
    var taken = free.pop();
    freeBytes -= capacity;
    if (free.isEmpty()) {
      FREE.remove(capacity);
    }
    return taken;
  }

  static synchronized void giveBack(ByteBuffer unused) {
    var capacity = unused.capacity();
    if (capacity >= UNIT && freeBytes + capacity <= MOST_FREE) {
      FREE.computeIfAbsent(capacity, ignored -> new ArrayDeque<>()).push(unused);
      freeBytes += capacity;
    }
  }
}
