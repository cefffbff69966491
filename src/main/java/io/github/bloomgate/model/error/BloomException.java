package io.github.bloomgate.model.error;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The one exception of the domain, with an error code, a message and details.
 *
 * <p>The message goes to the client unchanged, so it names values and limits, says what to do, and
 * never contains an element or anything internal. Created only by the factories of this package, so
 * that all texts are in one place.
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
      ErrorCode code, String reason, String consequence, ProblemDetails details, Throwable cause) {
    super(printable(consequence.isEmpty() ? reason : reason + " " + consequence), cause);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  static BloomException of(ErrorCode code, String detail) {
    return new BloomException(code, detail, null, null);
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
