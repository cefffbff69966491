package io.github.bloomgate.rebuild;

import io.github.bloomgate.model.error.RequestErrors;

/** The client that waits for a copy or a merge. What it does not wait for any more is not done. */
@FunctionalInterface
public interface Client {

  /** Whether it has closed its connection. */
  boolean isGone();

  /** Fails if it is gone, so that what was begun is taken back. Nobody gets that answer. */
  default void requireThere() {
    if (isGone()) {
      throw RequestErrors.invalid(
          "The client has closed the connection before the end. Nothing was changed.");
    }
  }
}
