package io.github.bloomgate.http.stream;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.error.StreamErrors;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;
import java.util.concurrent.Semaphore;

/** Limits how many streams run at once: each holds a thread for as long as its client likes. */
@Singleton
@Startup
public class StreamSlots {

  /** Two small batches with one long line each, the buffers around them, and what is replayed. */
  private static final long BYTES_OF_LINES = 5 << 18;

  /** A piece of a bitmap as it came, as bytes of its own and on its way out. */
  private static final long BYTES_OF_FILE = 6 << 20;

  private final int limit;
  private final Semaphore free;
  private final MemoryBudget memory;

  StreamSlots(BloomgateConfig config, MemoryBudget memory, MeterRegistry metrics) {
    this.limit = config.streams().maxConcurrent();
    this.free = new Semaphore(limit);
    this.memory = memory;
    Gauge.builder("bloom.streams.running", free, slots -> limit - slots.availablePermits())
        .description("Number of streams that run now.")
        .register(metrics);
  }

  /** A slot for a stream of lines, still to be taken. */
  public StreamSlot ofLines() {
    return new StreamSlot(this, memory, Math.min(BYTES_OF_LINES, memory.most()));
  }

  /** A slot for a file that is exported or imported, still to be taken. */
  public StreamSlot ofFile() {
    return new StreamSlot(this, memory, Math.min(BYTES_OF_FILE, memory.most()));
  }

  void enter() {
    if (!free.tryAcquire()) {
      throw StreamErrors.tooMany(limit);
    }
  }

  void leave() {
    free.release();
  }
}
