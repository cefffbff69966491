package io.github.bloomgate.http.stream;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.memory.Shares;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/** The limit of kept results of all streams, in bytes. Thread-safe. */
@Singleton
public class KeptRoom {

  private static final Logger LOG = Logger.getLogger(KeptRoom.class);

  private final Shares taken;
  private final AtomicBoolean isReported = new AtomicBoolean();

  KeptRoom(BloomgateConfig config) {
    this.taken = new Shares(config.streams().answersMaxSize().asLongValue());
  }

  public boolean take(long bytes) {
    return taken.take(Shares.NO_CLIENT, bytes) == Shares.Result.TAKEN;
  }

  public void giveBack(long bytes) {
    taken.giveBack(Shares.NO_CLIENT, bytes);
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
