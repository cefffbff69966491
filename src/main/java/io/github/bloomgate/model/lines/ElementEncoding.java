package io.github.bloomgate.model.lines;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.Violation;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/** How text stands for the bytes of an element. */
public enum ElementEncoding {
  /** The text's UTF-8 bytes. */
  @JsonProperty("utf-8")
  UTF_8(1, 1) {
    @Override
    byte[] decode(String text) throws CharacterCodingException {
      // Not getBytes: it would turn a lone surrogate into '?', and so two elements into one.
      var bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      return Arrays.copyOfRange(bytes.array(), bytes.arrayOffset(), bytes.limit());
    }

    @Override
    boolean isBytes() {
      return true;
    }

    @Override
    String mistake() {
      return "is not valid Unicode: it holds half of a surrogate pair";
    }
  },

  /** Base64, of the standard or the URL-safe alphabet, padded or not. */
  @JsonProperty("base64")
  BASE64(4, 3) {
    @Override
    byte[] decode(String text) {
      var urlSafe = text.indexOf('-') >= 0 || text.indexOf('_') >= 0;
      return (urlSafe ? Base64.getUrlDecoder() : Base64.getDecoder()).decode(text);
    }

    @Override
    String mistake() {
      return "is not base64";
    }
  },

  /** Two hexadecimal digits a byte, of either case. */
  @JsonProperty("hex")
  HEX(2, 1) {
    @Override
    byte[] decode(String text) {
      return HexFormat.of().parseHex(text);
    }

    @Override
    String mistake() {
      return "is not an even number of hexadecimal digits";
    }
  };

  /** The most bytes of one element. */
  public static final int MAX_ELEMENT_BYTES = 65_536;

  static final String TOO_LONG =
      "has an element of more than %d bytes, which is the limit".formatted(MAX_ELEMENT_BYTES);

  private final int characters;
  private final int bytes;

  /** So many characters stand for so many bytes. */
  ElementEncoding(int characters, int bytes) {
    this.characters = characters;
    this.bytes = bytes;
  }

  /**
   * The encoding of a name: {@code utf-8}, {@code base64} or {@code hex}.
   *
   * @throws BloomException INVALID_REQUEST for any other
   */
  public static ElementEncoding named(String name) {
    return switch (name) {
      case "utf-8" -> UTF_8;
      case "base64" -> BASE64;
      case "hex" -> HEX;
      default ->
          throw RequestErrors.invalid(
              "encoding must be one of utf-8, base64, hex. Send one of them.");
    };
  }

  /** The bytes a text stands for, or an exception of the decoder's if it stands for none. */
  abstract byte[] decode(String text) throws CharacterCodingException;

  /** What is wrong with a text that {@link #decode} refuses. */
  abstract String mistake();

  /** The most characters of the text of an element. */
  int maxTextLength() {
    return (MAX_ELEMENT_BYTES + bytes - 1) / bytes * characters;
  }

  /** Whether the bytes of a text, whatever they are, are the element. */
  boolean isBytes() {
    return false;
  }

  /** The element of a text in UTF-8, where that is not its bytes. */
  byte[] decodeBytes(byte[] text) throws MalformedLineException {
    // Latin-1 keeps bytes beyond ASCII apart from all characters that mean something here.
    return decodeText(new String(text, StandardCharsets.ISO_8859_1));
  }

  /** The element of a text. */
  byte[] decodeText(String text) throws MalformedLineException {
    try {
      return bounded(decode(text));
    } catch (CharacterCodingException | IllegalArgumentException malformed) {
      throw new MalformedLineException(mistake());
    }
  }

  private static byte[] bounded(byte[] element) throws MalformedLineException {
    requireBounded(element.length);
    return element;
  }

  static void requireBounded(int length) throws MalformedLineException {
    if (length > MAX_ELEMENT_BYTES) {
      throw new MalformedLineException(TOO_LONG);
    }
  }

  /**
   * The bytes of all elements of a request.
   *
   * @param in where the elements are, for the error: {@code body} or {@code query}
   * @throws BloomException INVALID_REQUEST, or LIMIT_EXCEEDED for one that is too long, that names
   *     the first element at fault by its index
   */
  public List<byte[]> decodeAll(List<String> texts, String in) {
    if (isBytes() && texts instanceof PackedTexts packed) {
      return packed.toElements(in);
    }
    var elements = new ArrayList<byte[]>(texts.size());
    for (var text : texts) {
      elements.add(decode(text, in, elements.size()));
    }
    return elements;
  }

  byte[] decode(String text, String in, int index) {
    if (text == null) {
      throw invalid(in, index, "is null; an element is a string");
    }
    byte[] element;
    try {
      element = decode(text);
    } catch (CharacterCodingException | IllegalArgumentException malformed) {
      throw invalid(in, index, mistake());
    }
    if (element.length > MAX_ELEMENT_BYTES) {
      throw RequestErrors.limitExceeded(
          "The element at index %d has %d bytes; the limit is %d. Nothing was changed; send it without the others, shortened or hashed."
              .formatted(index, element.length, MAX_ELEMENT_BYTES));
    }
    return element;
  }

  private static BloomException invalid(String in, int index, String message) {
    return RequestErrors.invalid(
        "The element at index %d %s. Nothing was changed; correct it and repeat the request."
            .formatted(index, message),
        List.of(new Violation(in, "elements[%d]".formatted(index), message)));
  }
}
