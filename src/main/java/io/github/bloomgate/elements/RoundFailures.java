package io.github.bloomgate.elements;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.StoreErrors;

/** What a failed call says about the changes that it carried. */
final class RoundFailures {

  private RoundFailures() {}

  static RuntimeException known(Throwable failure) {
    return failure instanceof RuntimeException known ? known : new IllegalStateException(failure);
  }

  /** Whether Redis may have run the call. */
  static boolean isUnknown(RuntimeException failure) {
    return failure instanceof BloomException error
        && error.code() == ErrorCode.STORE_OUTCOME_UNKNOWN;
  }

  /** The call was repeated to learn whether the first one was run, and failed. */
  static BloomException unanswered(RuntimeException failure) {
    return StoreErrors.outcomeUnknown("Redis did not answer whether it made the change.", failure);
  }

  /** Redis answered, and no longer shows whether it ran the first call. */
  static BloomException unknown() {
    return StoreErrors.outcomeUnknown(
        "The connection to Redis broke, and Redis no longer shows whether the change was made.",
        null);
  }
}
