package io.github.bloomgate.elements;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.SeveralSlotsException;
import io.github.bloomgate.model.error.StoreErrors;

/** Errors for the changes in a failed call. */
final class RoundFailures {

  private RoundFailures() {}

  /**
   * The failure for requests. Behind a proxy, a cluster is recognised only when it refuses a call.
   */
  static RuntimeException known(Throwable failure) {
    if (failure instanceof SeveralSlotsException) {
      return StoreErrors.unavailable(
          "Redis turned out to be a cluster. Nothing was done; repeat the request.", failure);
    }
    if (failure instanceof OutOfMemoryError) {
      return RequestErrors.outOfMemory(failure);
    }
    return failure instanceof RuntimeException known ? known : new IllegalStateException(failure);
  }

  /** The repeated call, which should have shown whether the first one ran, failed too. */
  static BloomException unanswered(RuntimeException failure) {
    return StoreErrors.outcomeUnknown("Redis did not confirm the change.", failure);
  }

  /** The service failed to send a call or to use its reply. */
  static BloomException broken(Throwable defect) {
    return StoreErrors.outcomeUnknown("The service did not get through the change.", defect);
  }

  /** Redis no longer keeps the blocks that would show whether the first call ran. */
  static BloomException unknown() {
    return StoreErrors.outcomeUnknown(
        "The connection to Redis broke, and Redis no longer shows whether the change was made.",
        null);
  }
}
