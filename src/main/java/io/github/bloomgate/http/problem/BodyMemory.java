package io.github.bloomgate.http.problem;

import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;

/**
 * The memory of one body that is held as a whole: taken before it is read, by what it may become,
 * and given back when its request is done. Thread-safe.
 */
public final class BodyMemory {

  /** What a byte of a body takes, at most: itself until it is parsed, and room for its elements. */
  private static final int COPIES = 3;

  /** The buffers that a body is read through, full ones of the framework included. */
  private static final int BUFFERS = 1 << 18;

  private final MemoryBudget memory;
  private long bytes;
  private boolean taken;
  private boolean reading;

  /** That of a body which has so many bytes, as far as is known; to be taken. */
  public BodyMemory(MemoryBudget memory, long length) {
    this.memory = memory;
    this.bytes = bytesOf(length);
  }

  /** The longest body that is held where so much memory is for bodies. */
  static long longestBody(long most) {
    return Math.max(0, most - BUFFERS) / COPIES;
  }

  private static long bytesOf(long length) {
    // The buffers of a small body are no larger than it is.
    return COPIES * length + Math.min(BUFFERS, 2 * length + 8192);
  }

  /** What is to be taken. */
  public long bytes() {
    return bytes;
  }

  /** It was taken. */
  public synchronized void taken() {
    taken = true;
  }

  /**
   * The body is about to be parsed: from now on it is held until the request is done, although its
   * client may leave.
   */
  public synchronized void read() {
    reading = true;
  }

  /** Takes what is missing for a body that turns out to be so long; false if there is no room. */
  public synchronized boolean growTo(long length) {
    var more = bytesOf(length) - bytes;
    if (more <= 0) {
      return true;
    }
    if (!taken || !memory.take(Use.BODIES, more)) {
      memory.countRefusal(Use.BODIES);
      return false;
    }
    bytes += more;
    return true;
  }

  /** The client has gone, or has its answer: what was still to be read will not be. */
  public synchronized void clientLeft() {
    if (!reading) {
      giveBack();
    }
  }

  /** Gives it back; may be called more than once. */
  public synchronized void giveBack() {
    if (taken) {
      taken = false;
      memory.giveBack(Use.BODIES, bytes);
    }
  }
}
