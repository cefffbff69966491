package io.github.bloomgate.http.stream;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.Shares;
import io.github.bloomgate.model.error.StreamErrors;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;

/**
 * Limits how many streams run at once, and how many of one client: each holds a thread for as long
 * as its client likes.
 */
@Singleton
@Startup
public class StreamSlots {

  /** Two small batches with one long line each, the buffers around them, and what is replayed. */
  private static final long BYTES_OF_LINES = 5 << 18;

  /** A piece of a bitmap as it came, as bytes of its own and on its way out. */
  private static final long BYTES_OF_FILE = 6 << 20;

  private final int limit;
  private final Shares places;
  private final MemoryBudget memory;

  StreamSlots(BloomgateConfig config, MemoryBudget memory, MeterRegistry metrics) {
    this.limit = config.streams().maxConcurrent();
    this.places = new Shares(limit);
    this.memory = memory;
    Gauge.builder("bloom.streams.running", places, Shares::taken)
        .description("Number of streams that run now.")
        .register(metrics);
  }

  /** A slot for a stream of lines of a client, still to be taken. */
  public StreamSlot ofLines(String client) {
    return new StreamSlot(this, memory, client, Math.min(BYTES_OF_LINES, memory.most()));
  }

  /** A slot for a file that a client exports or imports, still to be taken. */
  public StreamSlot ofFile(String client) {
    return new StreamSlot(this, memory, client, Math.min(BYTES_OF_FILE, memory.most()));
  }

  void enter(String client) {
    switch (places.take(client, 1)) {
      case TAKEN -> {}
      case SHARE_USED -> throw StreamErrors.tooManyOfKey(client, limit);
      case ALL_USED -> throw StreamErrors.tooMany(limit);
    }
  }

  void leave(String client) {
    places.giveBack(client, 1);
  }
}
