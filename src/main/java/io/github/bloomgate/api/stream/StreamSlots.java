package io.github.bloomgate.api.stream;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.config.HeapShare;
import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.error.StreamErrors;
import io.github.bloomgate.lines.LineBatch;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/** Limits how many streams run at once: each holds a thread for as long as its client likes. */
@Singleton
@Startup
public class StreamSlots {

  /** More makes elements no cheaper to speak of. */
  private static final int MAX_BATCH_BYTES = 8 << 20;

  /** Half of the memory is for bitmaps; a stream has two batches, and their bits. */
  private static final int SHARES = 8;

  private final int limit;
  private final Semaphore free;
  private final int bulkBytes;

  StreamSlots(BloomgateConfig config, MeterRegistry metrics) {
    this.limit = config.streams().maxConcurrent();
    this.free = new Semaphore(limit);
    this.bulkBytes =
        (int) Math.min(MAX_BATCH_BYTES, HeapShare.of(config.speed().bulkMaxSize()) / SHARES);
    Gauge.builder("bloom.streams.running", free, slots -> limit - slots.availablePermits())
        .description("Streams that run")
        .register(metrics);
  }

  /**
   * How many bytes of lines each stream may gather for one batch: large ones where few streams run.
   */
  public int batchBytes() {
    var running = Math.max(1, limit - free.availablePermits());
    return Math.max(LineBatch.ORDINARY_BYTES, bulkBytes / running);
  }

  /**
   * Takes a slot.
   *
   * @return gives it back; may be called more than once
   * @throws BloomException TOO_MANY_STREAMS if none is free
   */
  public Runnable take() {
    if (!free.tryAcquire()) {
      throw StreamErrors.tooMany(limit);
    }
    var taken = new AtomicBoolean(true);
    return () -> {
      if (taken.compareAndSet(true, false)) {
        free.release();
      }
    };
  }

  /**
   * Takes a slot for a request whose answer is written later.
   *
   * @return gives it back, which happens in any case when the request ends
   * @throws BloomException TOO_MANY_STREAMS if none is free
   */
  public Runnable takeFor(RoutingContext context) {
    var giveBack = take();
    giveBackAtEnd(giveBack, context);
    return giveBack;
  }

  /** Nobody asks for the body of an answer whose client has gone. */
  static void giveBackAtEnd(Runnable giveBack, RoutingContext context) {
    context.addEndHandler(end -> giveBack.run());
    // A client that went before is told to no handler.
    if (context.response().closed()) {
      giveBack.run();
    }
  }
}
