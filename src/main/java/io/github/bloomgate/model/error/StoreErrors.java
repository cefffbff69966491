package io.github.bloomgate.model.error;

/** Errors of Redis. */
public final class StoreErrors {

  private StoreErrors() {}

  /** Redis could not be reached, or a read-only call got no reply. */
  public static BloomException unavailable(String detail, Throwable cause) {
    return new BloomException(ErrorCode.STORE_UNAVAILABLE, detail, null, cause);
  }

  /**
   * A change was sent but not confirmed.
   *
   * @param reason a sentence
   */
  public static BloomException outcomeUnknown(String reason, Throwable cause) {
    return new BloomException(
        ErrorCode.STORE_OUTCOME_UNKNOWN,
        reason,
        "The change may or may not have been made: check before you repeat the request. An add can be repeated without a check, except in a counting filter.",
        null,
        cause);
  }

  /**
   * A removal failed part way.
   *
   * @param cause any cause but NOT_REPLICATED is reported as an unknown outcome
   * @param count the number of elements known to be removed or absent
   * @param of the number of elements of the request
   */
  public static BloomException removedInPart(BloomException cause, long count, long of) {
    return new BloomException(
        cause.code() == ErrorCode.NOT_REPLICATED
            ? ErrorCode.NOT_REPLICATED
            : ErrorCode.STORE_OUTCOME_UNKNOWN,
        cause.reason(),
        "%d of the %d elements of this request were removed or absent; others may have been removed. Do not repeat the request: removing an element twice may remove other elements. An element that was not removed merely keeps answering maybe."
            .formatted(count, of),
        new ProblemDetails.Applied(count, false),
        cause);
  }

  public static BloomException full() {
    return BloomException.of(
        ErrorCode.STORE_FULL,
        "Redis has reached its maxmemory and accepts no more data. Raise"
            + " maxmemory or delete filters, then repeat the request.");
  }
}
