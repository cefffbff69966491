package io.github.bloomgate.http.limits;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.connection.BodyFlow;
import io.github.bloomgate.http.connection.RequestEnd;
import io.github.bloomgate.memory.Holding;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.memory.Shares;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.StreamErrors;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;

/**
 * Limits the parallel streams of all clients and of each client, because each holds a thread for as
 * long as its client likes; and the disk space for results that clients have not read.
 */
@Singleton
@Startup
public class StreamSlots {

  /** Two small batches with one long line each, their buffers and the replayed first bytes. */
  private static final long BYTES_OF_LINES = 5 << 18;

  /** Three copies of a part of a bitmap: received, converted and being sent. */
  private static final long BYTES_OF_FILE = 6 << 20;

  /** The initial size of batches. */
  private static final int FIRST_BATCH_BYTES = 1 << 16;

  /**
   * The arrays of larger batches outgrow the young generation: with 8 MiB, adding ten million lines
   * takes a sixth longer, most of it in full collections.
   */
  private static final int MAX_BATCH_BYTES = 2 << 20;

  /** The memory of two batches per byte of lines: lines, positions and room to grow. */
  private static final int COPIES = 6;

  /** Batches grow only while this part of the memory for streams is free. */
  private static final int SPARE_PART = 2;

  private final int limit;
  private final Shares places;
  private final Shares kept;
  private final long mostKept;
  private final MemoryBudget memory;
  private final Caller caller;

  StreamSlots(BloomgateConfig config, MemoryBudget memory, Caller caller, MeterRegistry metrics) {
    this.caller = caller;
    this.limit = config.streams().maxConcurrent();
    this.places = new Shares(limit);
    this.mostKept = config.streams().answersMaxSize().asLongValue();
    this.kept = new Shares(mostKept);
    this.memory = memory;
    Gauge.builder("bloom.streams.running", places, Shares::taken)
        .description("Number of running streams.")
        .register(metrics);
  }

  public Slot ofLines(RoutingContext context) {
    return new Slot(context, Math.min(BYTES_OF_LINES, memory.most()));
  }

  public Slot ofFile(RoutingContext context) {
    return new Slot(context, Math.min(BYTES_OF_FILE, memory.most()));
  }

  /** The slot of a running stream, its memory and its disk space. Thread-safe. */
  public final class Slot implements AutoCloseable {

    private final RoutingContext context;
    private final String client;
    private final Holding held;
    private final long firstBytes;
    private int batchBytes = FIRST_BATCH_BYTES;
    private boolean taken;

    private Slot(RoutingContext context, long firstBytes) {
      this.context = context;
      this.client = caller.client(context).id();
      this.held = memory.hold(Use.STREAMS, client);
      this.firstBytes = firstBytes;
    }

    /**
     * Takes the slot, and blocks until there is memory. Then the body is received.
     *
     * @throws BloomException TOO_MANY_STREAMS if none is free, OVERLOADED if there is no memory,
     *     INVALID_REQUEST if the client has gone
     */
    public void take() {
      // Many requests that are reset at once would take slots from others.
      caller.client(context).requireThere();
      switch (places.take(client, 1)) {
        case TAKEN -> {}
        case SHARE_USED ->
            throw tooMany(
                "The key '%s' has already used up its share of the service's %d streams. Repeat the request when one of its streams has ended."
                    .formatted(client, limit));
        case ALL_USED ->
            throw tooMany(
                "The service is already running %d streams, which is its limit. Repeat the request later."
                    .formatted(limit));
      }
      try {
        held.growOrWait(firstBytes);
        taken = true;
      } finally {
        if (!taken) {
          held.close();
          places.giveBack(client, 1);
        }
      }
      BodyFlow.receive(context);
    }

    /**
     * Gives the slot back when the request ends; the body of a response is never requested if its
     * client has gone.
     */
    public void giveBackAtEnd() {
      RequestEnd.then(context, this::close);
    }

    /** Gives the slot back. Later calls have no effect. */
    @Override
    public synchronized void close() {
      if (taken) {
        taken = false;
        held.close();
        places.giveBack(client, 1);
      }
    }

    /**
     * Takes disk space for results, also after the slot was given back.
     *
     * @param bytes more of them
     * @param before those of this stream that were taken before
     * @throws BloomException TOO_LARGE if it has the share of a client, OVERLOADED if others have
     *     the space
     */
    public void keep(long bytes, long before) {
      if (kept.take(client, bytes) != Shares.Result.TAKEN) {
        var most = client.equals(Shares.NO_CLIENT) ? mostKept : mostKept / 2;
        throw before + bytes > most ? StreamErrors.tooManyResults(most) : StreamErrors.noRoom();
      }
    }

    /** Gives disk space back. */
    public void drop(long bytes) {
      kept.giveBack(client, bytes);
    }

    /**
     * The byte limit of the next batch, doubled after a full one while there is memory.
     *
     * @param last the bytes of the last one
     */
    public synchronized int batchBytes(int last) {
      if (taken && last >= batchBytes && batchBytes < MAX_BATCH_BYTES) {
        var more = (long) COPIES * batchBytes;
        var isSpare = memory.taken(Use.STREAMS) + more <= memory.most() / SPARE_PART;
        if (isSpare && held.grow(more)) {
          batchBytes *= 2;
        }
      }
      return batchBytes;
    }
  }

  private static BloomException tooMany(String message) {
    return BloomException.of(ErrorCode.TOO_MANY_STREAMS, message);
  }
}
