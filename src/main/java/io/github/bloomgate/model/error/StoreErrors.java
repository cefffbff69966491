package io.github.bloomgate.model.error;

/** What Redis did not do. */
public final class StoreErrors {

  private StoreErrors() {}

  /** The store could not be asked, or a request that changes nothing got no answer. */
  public static BloomException unavailable(String detail, Throwable cause) {
    return new BloomException(ErrorCode.STORE_UNAVAILABLE, detail, null, cause);
  }

  /** A change was sent and no answer came: it may or may not have been made. */
  public static BloomException outcomeUnknown(String detail, Throwable cause) {
    return new BloomException(ErrorCode.STORE_OUTCOME_UNKNOWN, detail, null, cause);
  }

  /**
   * Elements were being removed when something failed.
   *
   * @param cause what; NOT_REPLICATED stays so, whatever else it was is an unknown outcome
   * @param count of how many elements that is known
   * @param of so many
   */
  public static BloomException removedInPart(BloomException cause, long count, long of) {
    return new BloomException(
        cause.code() == ErrorCode.NOT_REPLICATED
            ? ErrorCode.NOT_REPLICATED
            : ErrorCode.STORE_OUTCOME_UNKNOWN,
        cause.reason(),
        "Of %d of the %d elements of this request it is known that they were removed, or not there; others may have been removed. Do not repeat the request: what is removed twice may take away other elements. What stays only answers maybe."
            .formatted(count, of),
        new ProblemDetails.Applied(count, false),
        cause);
  }

  /** Redis refused a change because it reached its {@code maxmemory}. */
  public static BloomException full() {
    return BloomException.of(
        ErrorCode.STORE_FULL,
        "Redis has reached its maxmemory and takes no more data. Raise"
            + " maxmemory or delete filters, then repeat the request.");
  }

  /**
   * Something would be made for which Redis has no room.
   *
   * @param needed bytes of memory
   * @param left bytes of memory
   */
  public static BloomException full(Object name, long needed, long left) {
    return BloomException.of(
        ErrorCode.STORE_FULL,
        "The filter '%s' needs %d bytes of the memory of Redis, which has %d bytes left. Nothing was changed. Create a smaller filter, delete others or raise maxmemory, then repeat the request."
            .formatted(name, needed, left));
  }

  /**
   * A change was made in the primary, and fewer replicas have confirmed it in time than were to.
   */
  public static BloomException notReplicated(int confirmed, int required) {
    return new BloomException(
        ErrorCode.NOT_REPLICATED,
        "The change was made, but %d instead of %d replicas of Redis confirmed it in time, so it may be lost if Redis fails over."
            .formatted(confirmed, required),
        "Repeat the request when there are enough replicas; what was added already is answered as known then.",
        null,
        null);
  }
}
