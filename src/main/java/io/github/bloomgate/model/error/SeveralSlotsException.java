package io.github.bloomgate.model.error;

/**
 * The keys of a call are in different slots of a Redis Cluster, so no script can access all of
 * them. Nothing was changed. Never sent to a client.
 */
public final class SeveralSlotsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SeveralSlotsException() {
    // No stack trace: the caller expects and catches it.
    super("The keys of a call are in different slots of a Redis Cluster", null, false, false);
  }
}
