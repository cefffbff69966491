package io.github.bloomgate.http.problem;

import io.github.bloomgate.memory.Holding;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.memory.Shares;
import java.util.function.Consumer;

/**
 * The memory of one body that is held as a whole: for its bytes as they arrive, within the share of
 * its client, and for what parsing makes of them when they are parsed. Given back when its request
 * is done. Thread-safe.
 */
public final class BodyMemory {

  /** What a byte of a body takes, at most: itself until it is parsed, and room for its elements. */
  private static final int COPIES = 3;

  /** The buffers that a body is read through, full ones of the framework included. */
  private static final int BUFFERS = 1 << 18;

  private final Holding arrived;

  /** Of no share: it takes a moment only, which the client cannot prolong. */
  private final Holding parsed;

  private final MemoryBudget memory;
  private boolean reading;

  public BodyMemory(MemoryBudget memory, String client) {
    this.memory = memory;
    this.arrived = memory.hold(Use.BODIES, client);
    this.parsed = memory.hold(Use.BODIES, Shares.NO_CLIENT);
  }

  /** The longest body that is held where so much memory is for bodies. */
  static long longestBody(long most) {
    return Math.max(0, most - BUFFERS) / COPIES;
  }

  private long missing(long length) {
    // The buffers of a small body are no larger than it is.
    var all = COPIES * length + Math.min(BUFFERS, 2 * length + 8192);
    return all - arrived.bytes() - parsed.bytes();
  }

  /** Takes memory for bytes that arrive; false if there is no room. */
  public boolean takeBytes(long bytes) {
    return arrived.grow(bytes);
  }

  /** Waits for memory for bytes that arrive; tells once, on any thread, whether it was taken. */
  public void awaitBytes(long bytes, Consumer<Boolean> told) {
    arrived.await(bytes, told);
  }

  /** Waits for memory to parse a body of this length; tells once, on any thread. */
  public void awaitParsing(long length, Consumer<Boolean> told) {
    parsed.await(Math.max(0, missing(length)), told);
  }

  /**
   * The body is about to be parsed: from now on it is held until the request is done, although its
   * client may leave.
   */
  public synchronized void read() {
    reading = true;
  }

  /** Takes what parsing a body of this length still needs; false if there is no room. */
  public boolean takeParsing(long length) {
    var more = missing(length);
    return more <= 0 || parsed.grow(more);
  }

  /** Takes it for a body that turns out to be this long; false if it is to be refused. */
  public boolean growTo(long length) {
    if (takeParsing(length)) {
      return true;
    }
    memory.countRefusal(Use.BODIES);
    return false;
  }

  /** The client has gone, or has its answer: what was still to be read will not be. */
  public synchronized void clientLeft() {
    if (!reading) {
      giveBack();
    }
  }

  /** Gives it back; may be called more than once. */
  public void giveBack() {
    arrived.giveBack();
    parsed.giveBack();
  }
}
