package io.github.bloomgate.filters;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/** How many bytes all {@code LongAdd} together may keep. Thread-safe. */
public final class KeptRoom {

  private static final Logger LOG = Logger.getLogger(KeptRoom.class);

  private final long maxBytes;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicBoolean isTold = new AtomicBoolean();

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
          "What streams add cannot be kept in the folder for temporary files, so that those that are"
              + " running when a rebuild is opened may fail with FILTER_CHANGED: %s",
          disk);
    }
  }
}
