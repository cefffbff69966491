package io.github.bloomgate.store;

/**
 * A segment does not hold the generation it was asked about: what the caller knows of the filter
 * may be out of date. A signal to look again, never an answer to a client.
 */
public final class StaleFilterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean gone;

  /** Tells that what the caller knows may be out of date. */
  public StaleFilterException(boolean gone) {
    // No message, no stack: it is caught at once and counts as ordinary.
    super(null, null, false, false);
    this.gone = gone;
  }

  /** True if the segment does not exist, false if it holds another generation. */
  public boolean gone() {
    return gone;
  }
}
