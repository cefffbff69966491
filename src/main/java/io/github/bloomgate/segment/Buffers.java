package io.github.bloomgate.segment;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A pool of off-heap memory. Without it, unused memory would stay allocated until the next garbage
 * collection of the heap. Thread-safe.
 */
final class Buffers {

  /** Shorter buffers are not pooled. */
  private static final int SHORTEST = 1 << 16;

  /** Pooled buffers have one of this many lengths between two powers of two, to be shared. */
  private static final int LENGTHS = 8;

  /** The most bytes kept for reuse, which no copy counts. */
  private static final int MOST_FREE = 1 << 22;

  /** All pooled lengths are multiples of its length. */
  private static final byte[] ZEROS = new byte[SHORTEST / 2 / LENGTHS];

  /** The buffers to be reused, newest first. */
  private static final Deque<ByteBuffer> FREE = new ArrayDeque<>();

  private static int freeBytes;

  private Buffers() {}

  /** The length of a buffer for {@code length} bytes. */
  static int capacity(int length) {
    if (length < SHORTEST) {
      return length;
    }
    var step = Integer.highestOneBit(length - 1) / LENGTHS;
    return (length + step - 1) / step * step;
  }

  /**
   * A buffer of {@link #capacity} zeros.
   *
   * @throws OutOfMemoryError if the JVM's limit of memory outside the heap leaves no room for it
   */
  static ByteBuffer take(int length) {
    var capacity = capacity(length);
    var used = takeFree(capacity);
    if (used == null) {
      return ByteBuffer.allocateDirect(capacity);
    }
    for (var at = 0; at < capacity; at += ZEROS.length) {
      used.put(at, ZEROS);
    }
    return used;
  }

  private static synchronized ByteBuffer takeFree(int capacity) {
    for (var free = FREE.iterator(); free.hasNext(); ) {
      var some = free.next();
      if (some.capacity() == capacity) {
        free.remove();
        freeBytes -= capacity;
        return some;
      }
    }
    return null;
  }

  /** Drops the oldest buffers for it, because their lengths may not be used any more. */
  static synchronized void giveBack(ByteBuffer unused) {
    if (unused.capacity() < SHORTEST) {
      return;
    }
    FREE.push(unused);
    freeBytes += unused.capacity();
    while (freeBytes > MOST_FREE) {
      freeBytes -= FREE.removeLast().capacity();
    }
  }
}
