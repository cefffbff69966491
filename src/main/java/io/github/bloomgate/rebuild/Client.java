package io.github.bloomgate.rebuild;

import io.github.bloomgate.model.error.RequestErrors;

/** The client that waits for a copy or a merge, which is stopped if the client disconnects. */
@FunctionalInterface
public interface Client {

  boolean isGone();

  /**
   * Fails if it is gone, so that the operation is rolled back. The failure is not sent to anyone.
   */
  default void requireThere() {
    if (isGone()) {
      throw RequestErrors.invalid(
          "The client closed the connection before the end. Nothing was changed.");
    }
  }
}
