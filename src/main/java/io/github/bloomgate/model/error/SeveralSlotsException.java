package io.github.bloomgate.model.error;

/**
 * Redis is a cluster, and the keys of a call are in different slots, so that no script reaches them
 * together. A signal to go another way, never an answer to a client. Nothing was changed.
 */
public final class SeveralSlotsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Tells that the keys of a call are in different slots. */
  public SeveralSlotsException() {
    // No stack: it is caught at once and counts as ordinary.
    super("The keys of a call are in different slots of a Redis Cluster", null, false, false);
  }
}
