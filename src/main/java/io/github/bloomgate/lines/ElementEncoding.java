package io.github.bloomgate.lines;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/** How text encodes the bytes of an element. */
public enum ElementEncoding {
  @JsonProperty("utf-8")
  UTF_8(1, 1) {
    @Override
    byte[] decode(String text) throws CharacterCodingException {
      // Not getBytes: it would turn any lone surrogate into '?', so that different elements become
      // equal.
      var bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      return Arrays.copyOfRange(bytes.array(), bytes.arrayOffset(), bytes.limit());
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

  /** Two hexadecimal digits a byte, upper or lower case. */
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

  public static final int MAX_ELEMENT_BYTES = 65_536;

  static final String TOO_LONG =
      "has an element that exceeds the limit of %d bytes".formatted(MAX_ELEMENT_BYTES);

  private final int characters;
  private final int bytes;

  /** The ratio of characters to bytes. */
  ElementEncoding(int characters, int bytes) {
    this.characters = characters;
    this.bytes = bytes;
  }

  /** Decodes a text or throws the decoder's exception. */
  abstract byte[] decode(String text) throws CharacterCodingException;

  /** The reason why {@link #decode} refuses a text. */
  abstract String mistake();

  int maxTextLength() {
    return (MAX_ELEMENT_BYTES + bytes - 1) / bytes * characters;
  }

  /** Whether the bytes of a text are the element, without decoding. */
  boolean isBytes() {
    return this == UTF_8;
  }

  byte[] decodeText(String text) throws InvalidLineException {
    var element = decodeAny(text);
    requireBounded(element.length);
    return element;
  }

  /** Decodes an element of any length. */
  public byte[] decodeAny(String text) throws InvalidLineException {
    try {
      return decode(text);
    } catch (CharacterCodingException | IllegalArgumentException malformed) {
      throw new InvalidLineException(mistake());
    }
  }

  static void requireBounded(int length) throws InvalidLineException {
    if (length > MAX_ELEMENT_BYTES) {
      throw new InvalidLineException(TOO_LONG);
    }
  }
}
