package io.github.bloomgate.http.connection;

import io.github.bloomgate.memory.Holding;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.model.error.BloomException;
import java.util.function.Consumer;

/**
 * The memory of one body that is held as a whole: for its bytes as they arrive, within the share of
 * its client, and for their parsed form. Given back when its request is done. Also reserves memory
 * for the response, so that a change whose response has no room is not made. Thread-safe.
 */
public final class BodyMemory {

  /** The most memory per byte of a body: itself until it is parsed, and its elements. */
  private static final int COPIES = 3;

  /** The buffers for reading a body, including the framework's. */
  private static final int BUFFERS = 1 << 18;

  /** The most bytes of flags in a response about one filter. */
  private static final int MOST_FLAGS = 1 << 16;

  private final Holding arrived;

  /** For no share, because parsing is short and the client cannot prolong it. */
  private final Holding parsed;

  private final MemoryBudget memory;
  private final Exchange exchange;

  public BodyMemory(MemoryBudget memory, String client, Exchange exchange) {
    this.memory = memory;
    this.exchange = exchange;
    this.arrived = memory.hold(Use.BODIES, client);
    this.parsed = arrived.second();
  }

  /** The longest body that fits into the memory for bodies. */
  static long longestBody(long most) {
    return Math.max(0, most - BUFFERS) / COPIES;
  }

  /**
   * Reserves memory for the response to a body: its elements, or for each one a flag, which is at
   * most twice as long as the shortest element.
   *
   * @throws BloomException OVERLOADED if there is no room
   */
  private void reserveResponse(long length) {
    exchange.reserve(Math.min(2 * length, length + MOST_FLAGS));
  }

  private long missing(long length) {
    // Small bodies need smaller buffers.
    var all = COPIES * length + Math.min(BUFFERS, 2 * length + 8192);
    return all - arrived.bytes() - parsed.bytes();
  }

  /**
   * Takes memory for received bytes, or waits for it. Calls {@code result} once, on any thread,
   * with whether it was taken.
   */
  public void awaitBytes(long bytes, Consumer<Boolean> result) {
    arrived.await(bytes, result);
  }

  /**
   * Takes the missing memory to parse a body of this length, like {@link #awaitBytes}.
   *
   * @throws BloomException OVERLOADED if there is no room for the response
   */
  public void awaitParsing(long length, Consumer<Boolean> result) {
    reserveResponse(length);
    parsed.await(Math.max(0, missing(length)), result);
  }

  /**
   * Takes memory for a body that turns out to have this length; false if there is no room.
   *
   * @throws BloomException OVERLOADED if there is no room for the response
   */
  public boolean growTo(long length) {
    reserveResponse(length);
    var more = missing(length);
    if (more <= 0 || parsed.grow(more)) {
      return true;
    }
    memory.countRefusal(Use.BODIES);
    return false;
  }

  public void giveBack() {
    arrived.close();
    parsed.close();
  }
}
