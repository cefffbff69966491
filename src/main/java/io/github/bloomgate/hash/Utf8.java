package io.github.bloomgate.hash;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads UTF-8 strictly. */
final class Utf8 {

  private Utf8() {}

  /**
   * The text of an element.
   *
   * @throws UnsupportedElementException if it is not valid UTF-8
   */
  static String decode(byte[] element) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(element)).toString();
    } catch (CharacterCodingException malformed) {
      throw new UnsupportedElementException(
          "is not valid UTF-8, and the filter's hash scheme is defined for text only");
    }
  }
}
