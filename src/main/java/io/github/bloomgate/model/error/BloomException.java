package io.github.bloomgate.model.error;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The one exception of the domain, with an error code, a message and details.
 *
 * <p>The message goes to the client unchanged, so it names values and limits, says what to do, and
 * never contains an element or anything internal. It is written where the error is found, or in a
 * class of this package if several classes share it.
 */
public final class BloomException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Line ends, including Unicode's, and characters that reverse or hide text. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\p{Cf}\\u2028\\u2029]");

  private final ErrorCode code;
  private final String reason;
  private final transient ProblemDetails details;

  BloomException(ErrorCode code, String detail, ProblemDetails details, Throwable cause) {
    this(code, detail, "", details, cause);
  }

  BloomException(
      ErrorCode code, String reason, String outcome, ProblemDetails details, Throwable cause) {
    super(printable(outcome.isEmpty() ? reason : reason + " " + outcome), cause);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  public static BloomException of(ErrorCode code, String message) {
    return of(code, message, null);
  }

  public static BloomException of(ErrorCode code, String message, ProblemDetails details) {
    return new BloomException(code, message, details, null);
  }

  /**
   * A failure with an outcome.
   *
   * @param outcome what was done of the request
   * @param details null for none
   */
  public static BloomException of(
      ErrorCode code, String reason, String outcome, ProblemDetails details) {
    return new BloomException(code, reason, outcome, details, null);
  }

  /** The same failure with another outcome and other details. */
  public BloomException withOutcome(String outcome, ProblemDetails other) {
    return new BloomException(code, reason, outcome, other, this);
  }

  /** The same failure under another code, without outcome and details. */
  BloomException withCode(ErrorCode other) {
    return new BloomException(other, reason, null, this);
  }

  /** Text from a client, such as the name of a Redis key, must not add lines to a log. */
  private static String printable(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }

  public ErrorCode code() {
    return code;
  }

  /**
   * Details for the client to act on, such as violations, differences or the applied count; empty
   * for most codes.
   */
  public Optional<ProblemDetails> details() {
    return Optional.ofNullable(details);
  }

  /** The message without the outcome of the request. */
  String reason() {
    return reason;
  }
}
