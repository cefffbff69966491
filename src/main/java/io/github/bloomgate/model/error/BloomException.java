package io.github.bloomgate.model.error;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The one exception of the domain: a code to switch on, a sentence to read, members to act on.
 *
 * <p>The message goes to the client as it is, so it names values and limits, says what to do, and
 * never holds an element or anything internal. Built by the factories of this package only, so that
 * every text has one home.
 */
public final class BloomException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Line ends, those of Unicode too, and what reverses or hides the text that follows. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\p{Cf}\\u2028\\u2029]");

  private final ErrorCode code;
  private final String reason;
  private final transient ProblemDetails facts;

  BloomException(ErrorCode code, String detail, ProblemDetails facts, Throwable cause) {
    this(code, detail, "", facts, cause);
  }

  BloomException(
      ErrorCode code, String reason, String consequence, ProblemDetails facts, Throwable cause) {
    super(printable(consequence.isEmpty() ? reason : reason + " " + consequence), cause);
    this.code = code;
    this.reason = reason;
    this.facts = facts;
  }

  static BloomException of(ErrorCode code, String detail) {
    return new BloomException(code, detail, null, null);
  }

  /** A name of a client's, as of a key in Redis, must not make lines of its own in a log. */
  private static String printable(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }

  /** What kind of failure this is. */
  public ErrorCode code() {
    return code;
  }

  /**
   * What a client needs beyond the message to act: the violations, the differences, the count
   * applied; empty for most codes.
   */
  public Optional<ProblemDetails> facts() {
    return Optional.ofNullable(facts);
  }

  /** The message without what became of the request. */
  String reason() {
    return reason;
  }
}
