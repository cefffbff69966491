package io.github.bloomgate.lines;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** How a line contains an element. */
public enum LineFormat {

  /** The line is the text of the element, byte for byte; an empty line is the empty element. */
  @JsonProperty("lines")
  TEXT(LineFormat.TEXT_TYPE) {
    @Override
    int maxLineBytes(ElementEncoding encoding) {
      return encoding.maxTextLength() + 1;
    }

    @Override
    void read(byte[] from, int start, int end, ElementEncoding encoding, LineBatch into)
        throws InvalidLineException {
      var textEnd = end > start && from[end - 1] == '\r' ? end - 1 : end;
      take(from, start, end, start, textEnd, encoding, into);
    }
  },

  /** The line is a JSON string with the text of the element. */
  @JsonProperty("ndjson")
  NDJSON(LineFormat.NDJSON_TYPE) {
    @Override
    int maxLineBytes(ElementEncoding encoding) {
      // Every character may be a six-byte escape, with white space around the quotes.
      return 6 * encoding.maxTextLength() + 64;
    }

    @Override
    void read(byte[] from, int start, int end, ElementEncoding encoding, LineBatch into)
        throws InvalidLineException {
      var first = start;
      var last = end;
      while (first < last && isSpace(from[first])) {
        first++;
      }
      while (first < last && isSpace(from[last - 1])) {
        last--;
      }
      if (isPlainString(from, first, last)) {
        take(from, start, end, first + 1, last - 1, encoding, into);
      } else {
        var text = parse(utf8(from, start, end));
        into.add(from, start, end, encoding.decodeText(text));
      }
    }
  };

  public static final String TEXT_TYPE = "text/plain";

  public static final String NDJSON_TYPE = "application/x-ndjson";

  private static final JsonFactory JSON = new JsonFactory();
  private static final String NO_STRING = "is not one JSON string";

  private final String mediaType;

  LineFormat(String mediaType) {
    this.mediaType = mediaType;
  }

  /** The format of a media type without parameters; empty if it is another type. */
  public static Optional<LineFormat> of(String mediaType) {
    return Arrays.stream(values())
        .filter(format -> format.mediaType.equalsIgnoreCase(mediaType))
        .findFirst();
  }

  /** The media type, without parameters. */
  public String mediaType() {
    return mediaType;
  }

  /** The most bytes of a line with a valid element, without its LF. */
  abstract int maxLineBytes(ElementEncoding encoding);

  /** Adds a line, with or without a final CR, and its element to a batch. */
  abstract void read(byte[] from, int start, int end, ElementEncoding encoding, LineBatch into)
      throws InvalidLineException;

  /** Adds a line that contains the text of its element. */
  private static void take(
      byte[] from,
      int start,
      int end,
      int textStart,
      int textEnd,
      ElementEncoding encoding,
      LineBatch into)
      throws InvalidLineException {
    if (encoding.isBytes()) {
      ElementEncoding.requireBounded(textEnd - textStart);
      into.add(from, start, end, textStart, textEnd);
    } else {
      // Latin-1 maps bytes above ASCII to characters that are invalid in these encodings.
      var text = new String(from, textStart, textEnd - textStart, StandardCharsets.ISO_8859_1);
      into.add(from, start, end, encoding.decodeText(text));
    }
  }

  /** Whether the bytes are a JSON string of ASCII without escapes, the usual case. */
  private static boolean isPlainString(byte[] line, int from, int to) {
    if (to - from < 2 || line[from] != '"' || line[to - 1] != '"') {
      return false;
    }
    for (var i = from + 1; i < to - 1; i++) {
      // Bytes above ASCII are negative.
      if (line[i] < ' ' || line[i] == '"' || line[i] == '\\') {
        return false;
      }
    }
    return true;
  }

  private static boolean isSpace(byte character) {
    return character == ' ' || character == '\t' || character == '\r';
  }

  /** Checked here, because the parser replaces malformed UTF-8. */
  private static String utf8(byte[] from, int start, int end) throws InvalidLineException {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(from, start, end - start))
          .toString();
    } catch (CharacterCodingException malformed) {
      throw new InvalidLineException("is not UTF-8");
    }
  }

  private static String parse(String line) throws InvalidLineException {
    try (var parser = JSON.createParser(line)) {
      if (parser.nextToken() == JsonToken.VALUE_STRING) {
        var text = parser.getText();
        if (parser.nextToken() == null) {
          return text;
        }
      }
    } catch (IOException malformed) {
      // The parser's message would quote the element.
      throw new InvalidLineException(NO_STRING);
    }
    throw new InvalidLineException(NO_STRING);
  }
}
