package io.github.bloomgate.memory;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.util.function.BooleanSupplier;

/**
 * The client that waits for a request. What the request takes counts towards its share, and the
 * work stops if it disconnects or resets the request. Thread-safe.
 *
 * @param id of its share; {@link Shares#NO_CLIENT} for work without a share
 * @param gone whether it no longer waits for the response
 */
public record Client(String id, BooleanSupplier gone) {

  /** For work of the service itself, which nothing stops. */
  public static final Client SERVICE = new Client(Shares.NO_CLIENT, () -> false);

  public boolean isGone() {
    return gone.getAsBoolean();
  }

  /**
   * Fails if it is gone. The failure is not sent to anyone.
   *
   * @throws BloomException INVALID_REQUEST
   */
  public void requireThere() {
    if (isGone()) {
      throw RequestErrors.invalid("The client left before the request was done.");
    }
  }
}
