package io.github.bloomgate.error;

import java.util.Map;

/**
 * The one exception of the domain: a code to switch on, a sentence to read, members to act on.
 *
 * <p>The message goes to the client as it is, so it names values and limits, says what to do, and
 * never holds an element or anything internal. Built by the static factories only, so that every
 * text has one home.
 */
public final class BloomException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final transient Map<String, Object> members;

  private BloomException(
      ErrorCode code, String detail, Map<String, Object> members, Throwable cause) {
    super(detail, cause);
    this.code = code;
    this.members = members;
  }

  private static BloomException of(ErrorCode code, String detail) {
    return new BloomException(code, detail, Map.of(), null);
  }

  /** What kind of failure this is. */
  public ErrorCode code() {
    return code;
  }

  /** Further members of the problem document, by name; empty for most codes. */
  public Map<String, Object> members() {
    return members;
  }

  /** The store could not be asked or did not answer, and nothing was changed by this request. */
  public static BloomException storeUnavailable(String detail, Throwable cause) {
    return new BloomException(ErrorCode.STORE_UNAVAILABLE, detail, Map.of(), cause);
  }

  /** A change was sent and no answer came: it may or may not have been made. */
  public static BloomException storeOutcomeUnknown(String detail, Throwable cause) {
    return new BloomException(ErrorCode.STORE_OUTCOME_UNKNOWN, detail, Map.of(), cause);
  }

  /** Redis refused a change because it reached its {@code maxmemory}; nothing was changed. */
  public static BloomException storeFull() {
    return of(
        ErrorCode.STORE_FULL,
        "Redis has reached its maxmemory and takes no more data; nothing was changed. Raise"
            + " maxmemory or delete filters, then repeat the request.");
  }

  /** A defect of the service; the cause is for the log, not for the client. */
  public static BloomException internal(String forTheLog, Throwable cause) {
    return new BloomException(ErrorCode.INTERNAL, forTheLog, Map.of(), cause);
  }
}
