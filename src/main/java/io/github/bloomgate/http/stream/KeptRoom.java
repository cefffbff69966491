package io.github.bloomgate.http.stream;

import io.github.bloomgate.config.BloomgateConfig;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/** How many bytes of answers all streams together may keep. Thread-safe. */
@Singleton
public class KeptRoom {

  private static final Logger LOG = Logger.getLogger(KeptRoom.class);

  private final long maxBytes;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicBoolean isTold = new AtomicBoolean();

  @Inject
  KeptRoom(BloomgateConfig config) {
    this(config.streams().answersMaxSize().asLongValue());
  }

  public KeptRoom(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Takes bytes, unless too many are taken. */
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

  /** Tells, once, that the disk is of no use. */
  public void tellOf(IOException disk) {
    if (isTold.compareAndSet(false, true)) {
      LOG.warnf(
          "Streams cannot use the folder for temporary files, so they wait for clients that do not read: %s",
          disk);
    }
  }
}
