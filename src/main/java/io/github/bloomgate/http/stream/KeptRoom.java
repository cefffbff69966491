package io.github.bloomgate.http.stream;

import io.github.bloomgate.config.BloomgateConfig;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/** The limit of kept results of all streams, in bytes. Thread-safe. */
@Singleton
public class KeptRoom {

  private static final Logger LOG = Logger.getLogger(KeptRoom.class);

  private final long maxBytes;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicBoolean isReported = new AtomicBoolean();

  @Inject
  KeptRoom(BloomgateConfig config) {
    this(config.streams().answersMaxSize().asLongValue());
  }

  public KeptRoom(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  public boolean take(long bytes) {
    if (taken.addAndGet(bytes) <= maxBytes) {
      return true;
    }
    giveBack(bytes);
    return false;
  }

  public void giveBack(long bytes) {
    taken.addAndGet(-bytes);
  }

  /** Logs, once, that the disk cannot be used. */
  public void report(IOException disk) {
    if (isReported.compareAndSet(false, true)) {
      LOG.warnf(
          "Streams cannot use the folder for temporary files, so they wait for slow clients: %s",
          disk);
    }
  }
}
