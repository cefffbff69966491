package io.github.bloomgate.threads;

import java.io.IOException;

/**
 * The bytes of a response that have been written and not been sent. A thread that writes waits here
 * for its client. Thread-safe.
 */
public final class Unsent {

  private final long most;
  private long bytes;
  private boolean isOver;

  /**
   * @param most with this many bytes, the writer waits
   */
  public Unsent(long most) {
    this.most = most;
  }

  /**
   * Waits while there are too many bytes. Blocks.
   *
   * @throws IOException if the service is shutting down
   */
  public synchronized void awaitLess() throws IOException {
    try {
      while (bytes >= most && !isOver) {
        wait();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("The service is shutting down", stopped);
    }
  }

  public synchronized void begin(long written) {
    bytes += written;
  }

  public synchronized void done(long sent) {
    bytes -= sent;
    notifyAll();
  }

  /** Lets the writer go on, because the response has ended. */
  public synchronized void end() {
    isOver = true;
    notifyAll();
  }
}
