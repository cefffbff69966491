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

  /** How many times as long a copy waits at most that others have always outrun. */
  private static final int LONGEST_PATIENCE = 256;

  private final LongAdder elements = new LongAdder();
  private final LongAdder spared = new LongAdder();
  private volatile int patience = 1;
  private final AtomicBoolean told = new AtomicBoolean();

  /**
   * Counts elements.
   *
   * @param bytes of the bitmap
   * @return true once, when it should be read
   */
  public boolean add(long count, long bytes) {
    elements.add(count);
    return elements.sum() >= patience * Math.max(AT_LEAST, bytes / BYTES_PER_ELEMENT)
        && told.compareAndSet(false, true);
  }

  /** Counts elements that would have been tested in Redis but for what was read last. */
  public void spare(long count) {
    spared.add(count);
  }

  /**
   * Begins again, after it was read. Where others add all the time, what is read is out of date at
   * once: then it is read ever less often, until it was of use again.
   */
  public void reset() {
    var wasOfUse = spared.sumThenReset() >= elements.sumThenReset();
    patience = wasOfUse ? 1 : Math.min(2 * patience, LONGEST_PATIENCE);
    told.set(false);
  }
}
