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
 * Limits the parallel streams of all clients and of each client, because each holds a thread for as
 * long as its client likes.
 */
@Singleton
@Startup
public class StreamSlots {

  /** Two small batches with one long line each, their buffers and the replayed first bytes. */
  private static final long BYTES_OF_LINES = 5 << 18;

  /** Three copies of a part of a bitmap: received, converted and being sent. */
  private static final long BYTES_OF_FILE = 6 << 20;

  private final int limit;
  private final Shares places;
  private final MemoryBudget memory;

  StreamSlots(BloomgateConfig config, MemoryBudget memory, MeterRegistry metrics) {
    this.limit = config.streams().maxConcurrent();
    this.places = new Shares(limit);
    this.memory = memory;
    Gauge.builder("bloom.streams.running", places, Shares::taken)
        .description("Number of running streams.")
        .register(metrics);
  }

  /** A slot for a stream of lines, not yet taken. */
  public StreamSlot ofLines(String client) {
    return new StreamSlot(this, memory, client, Math.min(BYTES_OF_LINES, memory.most()));
  }

  /** A slot for an export or import, not yet taken. */
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
