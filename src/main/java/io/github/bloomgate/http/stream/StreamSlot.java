package io.github.bloomgate.http.stream;

import io.github.bloomgate.memory.Holding;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.model.error.BloomException;
import io.vertx.ext.web.RoutingContext;

/** The slot of a running stream and its memory. Thread-safe. */
public final class StreamSlot {

  /** The initial size of batches. */
  private static final int FIRST_BATCH_BYTES = 1 << 16;

  /** Larger batches gain little. */
  private static final int MAX_BATCH_BYTES = 8 << 20;

  /** The memory of two batches per byte of lines: lines, positions and room to grow. */
  private static final int COPIES = 6;

  /** Batches grow only while this part of the memory for streams is free. */
  private static final int SPARE_PART = 2;

  private final StreamSlots slots;
  private final MemoryBudget memory;
  private final String client;
  private final Holding held;
  private final long firstBytes;
  private int batchBytes = FIRST_BATCH_BYTES;
  private boolean taken;

  StreamSlot(StreamSlots slots, MemoryBudget memory, String client, long firstBytes) {
    this.slots = slots;
    this.memory = memory;
    this.client = client;
    this.held = memory.hold(Use.STREAMS, client);
    this.firstBytes = firstBytes;
  }

  /**
   * Takes the slot, and blocks until there is memory.
   *
   * @throws BloomException TOO_MANY_STREAMS if none is free, OVERLOADED if there is no memory
   */
  public void take() {
    slots.enter(client);
    try {
      held.growOrWait(firstBytes);
    } catch (BloomException full) {
      slots.leave(client);
      throw full;
    }
    taken = true;
  }

  /**
   * Takes the slot for a request whose response is written later; it is given back when the request
   * ends.
   */
  public void takeFor(RoutingContext context) {
    take();
    giveBackAtEnd(context);
  }

  /** The body of a response is never requested if its client has gone. */
  void giveBackAtEnd(RoutingContext context) {
    context.addEndHandler(end -> giveBack());
    // If the client has already disconnected, no handler is called.
    if (context.response().closed()) {
      giveBack();
    }
  }

  /** Gives the slot back. Later calls have no effect. */
  public synchronized void giveBack() {
    if (taken) {
      taken = false;
      held.giveBack();
      slots.leave(client);
    }
  }

  /**
   * The byte limit of the next batch, doubled after a full one while there is memory.
   *
   * @param last the bytes of the last one
   */
  public synchronized int batchBytes(int last) {
    if (taken && last >= batchBytes && batchBytes < MAX_BATCH_BYTES) {
      var more = (long) COPIES * batchBytes;
      if (isSpare(more) && held.grow(more)) {
        batchBytes *= 2;
      }
    }
    return batchBytes;
  }

  private boolean isSpare(long more) {
    return memory.taken(Use.STREAMS) + more <= memory.most() / SPARE_PART;
  }
}
