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
        "The change may or may not have been made: check before you repeat the request. An add can be repeated without a check.",
        null,
        cause);
  }

  /**
   * A removal failed part way.
   *
   * @param count the number of elements known to be removed or absent
   * @param of the number of elements of the request
   */
  public static BloomException removedInPart(BloomException cause, long count, long of) {
    return inPart(cause)
        .withOutcome(
            "%d of the %d elements of this request were removed or absent; others may have been removed. Do not repeat the request: removing an element twice may remove other elements. An element that was not removed merely keeps answering maybe."
                .formatted(count, of),
            new ProblemDetails.Applied(count, false));
  }

  /**
   * An add to a counting filter failed part way.
   *
   * @param count the number of elements known to be added
   * @param of the number of elements of the request
   */
  public static BloomException addedInPart(BloomException cause, long count, long of) {
    return inPart(cause)
        .withOutcome(
            "%d of the %d elements of this request were added; others may have been added. If you repeat the request, these count twice, and one removal leaves them in the filter. If you do not, never remove its elements."
                .formatted(count, of),
            new ProblemDetails.Applied(count, false));
  }

  /**
   * The failure of a change that must not be made twice, after a part of it. Clients repeat a
   * request after most other failures, so any but NOT_REPLICATED becomes an unknown outcome.
   */
  public static BloomException inPart(BloomException cause) {
    return cause.code() == ErrorCode.NOT_REPLICATED
        ? cause
        : cause.withCode(ErrorCode.STORE_OUTCOME_UNKNOWN);
  }

  /** A key that another program wrote. */
  public static BloomException wrongKeyType(String key) {
    return wrongKeyType(
        "The Redis key %s has an unexpected type, because another program wrote it. Remove or rename that key in Redis."
            .formatted(key),
        "Nothing was changed.");
  }

  /** A script met a key that another program wrote. */
  public static BloomException wrongKeyType() {
    return wrongKeyType(
        "A Redis key that the request uses has an unexpected type, because another program wrote it. Look at the keys of the filter, and remove or rename that key in Redis.",
        "");
  }

  private static BloomException wrongKeyType(String detail, String outcome) {
    return new BloomException(ErrorCode.WRONG_KEY_TYPE, detail, outcome, null, null);
  }

  public static BloomException full() {
    return BloomException.of(
        ErrorCode.STORE_FULL,
        "Redis has reached its maxmemory and accepts no more data. Raise"
            + " maxmemory or delete filters, then repeat the request.");
  }
}
