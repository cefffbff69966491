package io.github.bloomgate.http.stream;

import io.github.bloomgate.memory.Holding;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.model.error.BloomException;
import io.vertx.ext.web.RoutingContext;

/** The place of one stream among those that run, and the memory it has. Thread-safe. */
public final class StreamSlot {

  /** The size of batches until they are seen to be full. */
  private static final int FIRST_BATCH_BYTES = 1 << 16;

  /** More makes elements no cheaper to speak of. */
  private static final int MAX_BATCH_BYTES = 8 << 20;

  /**
   * What two batches take for each byte of their lines: these, where they are, and room to grow.
   */
  private static final int COPIES = 6;

  /** They grow only while this part of what streams may take is free. */
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
   * Takes the slot. Waits for memory, so it is for a thread that may.
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
   * Takes the slot for a request whose answer is written later: it is given back when the request
   * ends, in any case.
   */
  public void takeFor(RoutingContext context) {
    take();
    giveBackAtEnd(context);
  }

  /** Nobody asks for the body of an answer whose client has gone. */
  void giveBackAtEnd(RoutingContext context) {
    context.addEndHandler(end -> giveBack());
    // A client that went before is told to no handler.
    if (context.response().closed()) {
      giveBack();
    }
  }

  /** Gives the slot back; may be called more than once. */
  public synchronized void giveBack() {
    if (taken) {
      taken = false;
      held.giveBack();
      slots.leave(client);
    }
  }

  /**
   * How many bytes of lines the next batch may have: twice as many after one that was full, as long
   * as there is memory.
   *
   * @param last how many the last one had
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
