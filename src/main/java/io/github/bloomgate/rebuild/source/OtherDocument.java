package io.github.bloomgate.rebuild.source;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A document in the place of lines, such as the error page of a server, recognised by its first
 * line. Requests may add such lines, because an element may be any text. But a run of a source
 * replaces all elements, and no person looks at its content.
 */
enum OtherDocument {
  HTML(
      "an HTML page, perhaps of a login or an error",
      "(?i)<(!doctype\\s+html|(html|head|body|title|meta|script)[\\s>]|!--).*"),

  /** Message ids in angle brackets are no tags, because of their @. */
  XML("XML, perhaps an error", "<(\\?xml\\s|[A-Za-z_][\\w:.-]*(\\s+[\\w:.-]+\\s*=.*)?\\s*/?>).*"),

  /** The first line is not all of it. */
  JSON(
      "a JSON document, perhaps an error",
      "[\\[{]|\\{\\s*\"([^\"\\\\]|\\\\.)*\"\\s*:.*[^}]|\\[\\s*[\\[{\"].*[^\\]]"),

  /** Lines of objects or arrays may be elements. A single one is a document. */
  JSON_IN_ONE_LINE(JSON.kind, "\\{\\s*(\".*)?}|\\[\\s*([\\[{\"].*)?]"),

  PDF("a PDF document", "%PDF-.*"),
  RTF("an RTF document", "\\{\\\\rtf.*"),
  POSTSCRIPT("a PostScript document", "%!PS.*"),
  PEM("a certificate, key or signed message", "-----BEGIN [A-Z ]+-----");

  private static final int MOST_CHARS = 1000;

  private final String kind;
  private final Pattern line;

  OtherDocument(String kind, String line) {
    this.kind = kind;
    this.line = Pattern.compile(line, Pattern.DOTALL);
  }

  /** The document that begins with a line; empty if it may be an element. */
  static Optional<OtherDocument> beginningWith(String line) {
    var stripped = line.strip();
    var some = stripped.substring(0, Math.min(stripped.length(), MOST_CHARS));
    return Arrays.stream(values()).filter(kind -> kind.line.matcher(some).matches()).findFirst();
  }

  /** Completes "The source looks like ...". */
  String kind() {
    return kind;
  }
}
