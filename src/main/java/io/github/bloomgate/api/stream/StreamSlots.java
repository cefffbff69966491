package io.github.bloomgate.api.stream;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.error.BloomException;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.concurrent.Semaphore;

/** Limits how many streams run at once: each holds a thread for as long as its client likes. */
@Singleton
public class StreamSlots {

  private final int limit;
  private final Semaphore free;

  StreamSlots(BloomgateConfig config) {
    this.limit = config.streams().maxConcurrent();
    this.free = new Semaphore(limit);
  }

  /**
   * Takes a slot until the answer has been sent or the connection is gone.
   *
   * @throws BloomException TOO_MANY_STREAMS if none is free
   */
  public void take(RoutingContext request) {
    if (!free.tryAcquire()) {
      throw BloomException.tooManyStreams(limit);
    }
    request.addEndHandler(end -> free.release());
  }
}
