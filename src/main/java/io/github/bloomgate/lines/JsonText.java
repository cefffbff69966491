package io.github.bloomgate.lines;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * JSON in the place of plain text: a document of the API, or a JSON string on each line. Many
 * clients send a string as {@code text/plain} unless its type is set, and its lines would be added
 * as elements.
 *
 * <p>An element may begin with any character. So lines of objects with other fields, of arrays with
 * other values, or of several arrays are elements.
 */
enum JsonText {
  DOCUMENT(
      "looks like a JSON document",
      "Send it with -H 'Content-Type: application/json', or write each element on a line of its"
          + " own. If it is one element, send it as a JSON string with -H 'Content-Type:"
          + " application/x-ndjson'.",
      "Write each element on a line of its own. If it is one element, write it as a JSON string and"
          + " set the format ndjson."),
  STRINGS(
      "looks like JSON strings",
      "Send it with -H 'Content-Type: application/x-ndjson'. If the quotation marks belong to the"
          + " elements, escape them and put the elements in further ones.",
      "Set the format ndjson. If the quotation marks belong to the elements, escape them and put"
          + " the elements in further ones.");

  private static final String STRING = "\"(?:[^\"\\\\\\x00-\\x1F]++|\\\\.)*+\"";

  private static final Pattern OBJECT =
      Pattern.compile(
          "[ \\t]*+\\{\\s*+\"(?:(?:elements|filters)\"\\s*+:\\s*+\\["
              + "|encoding\"\\s*+:\\s*+\"(?:utf-8|base64|hex)\")");

  private static final Pattern ARRAY =
      Pattern.compile(
          "[ \\t]*+\\[\\s*+(?:%1$s\\s*+(?:,\\s*+%1$s\\s*+)*+)?+]\\s*+".formatted(STRING));

  private static final Pattern FIRST_OF_ARRAY =
      Pattern.compile("[ \\t]*+\\[\\s*+%s\\s*+[],]".formatted(STRING));

  private static final Pattern LINES =
      Pattern.compile(
          "[ \\t]*+%1$s[ \\t\\r]*+(?:\\n\\s*+%1$s[ \\t\\r]*+)*+\\s*+".formatted(STRING));

  private final String mistake;
  private final String remedyOfRequest;
  private final String remedyOfSource;

  JsonText(String mistake, String remedyOfRequest, String remedyOfSource) {
    this.mistake = mistake;
    this.remedyOfRequest = remedyOfRequest;
    this.remedyOfSource = remedyOfSource;
  }

  /**
   * Whether {@link #in} needs more of the text than its beginning. That is rare, so that text which
   * arrives slowly is not held back.
   */
  static boolean needsMore(String beginning) {
    var object = OBJECT.matcher(beginning);
    var array = ARRAY.matcher(beginning);
    var lines = LINES.matcher(beginning);
    return (!object.lookingAt() && object.hitEnd())
        || array.matches()
        || array.hitEnd()
        || lines.matches()
        || lines.hitEnd();
  }

  /**
   * Recognises JSON; empty if the text may be lines of elements.
   *
   * @param beginning with a char for each byte
   * @param isWhole whether nothing follows
   */
  static Optional<JsonText> in(String beginning, boolean isWhole) {
    var array = ARRAY.matcher(beginning);
    if (OBJECT.matcher(beginning).lookingAt()
        || array.matches()
        || (!isWhole && array.hitEnd() && FIRST_OF_ARRAY.matcher(beginning).lookingAt())) {
      return Optional.of(DOCUMENT);
    }
    var lines = LINES.matcher(beginning);
    if (lines.matches()) {
      return Optional.of(STRINGS);
    }
    // The last line may be incomplete.
    var wholeLines = beginning.substring(0, beginning.lastIndexOf('\n') + 1);
    return !isWhole && lines.hitEnd() && LINES.matcher(wholeLines).matches()
        ? Optional.of(STRINGS)
        : Optional.empty();
  }

  ContentMismatchException mismatch(Sender sender) {
    return new ContentMismatchException(
        mistake, sender == Sender.SOURCE ? remedyOfSource : remedyOfRequest);
  }
}
