package io.github.bloomgate.journal;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts elements that had to be tested in Redis, until reading the whole bitmap is cheaper. One
 * caller is told so, the others go on.
 */
public final class Misses {

  /**
   * Bytes of bitmap that can be read for what testing one element costs. Redis needs about 0.1 ms
   * to send a MiB, and the service about as long to take it in; a test in Redis is about 20
   * microseconds of both.
   */
  private static final long BYTES_PER_ELEMENT = 1 << 14;

  private static final long AT_LEAST = 16;

  private final LongAdder elements = new LongAdder();
  private final AtomicBoolean told = new AtomicBoolean();

  /**
   * Counts elements.
   *
   * @param bytes of the bitmap
   * @return true once, when it should be read
   */
  public boolean add(long count, long bytes) {
    elements.add(count);
    return elements.sum() >= Math.max(AT_LEAST, bytes / BYTES_PER_ELEMENT)
        && told.compareAndSet(false, true);
  }
}
