package io.github.bloomgate.hash;

/** Encodes text as Redisson's {@code Kryo5Codec} encodes a Java {@code String}. */
final class Kryo5String {

  private static final byte CLASS_ID = 3;
  private static final int LONGEST_BARE = 32;

  private Kryo5String() {}

  /**
   * @param text in UTF-8
   * @throws UnsupportedElementException if it is not valid UTF-8
   */
  static byte[] encode(byte[] text) {
    int chars = 0;
    int supplementary = 0;
    for (int at = 0; at < text.length; ) {
      int codePoint = Utf8.codePoint(text, at);
      at += Utf8.length(codePoint);
      chars++;
      if (Character.isSupplementaryCodePoint(codePoint)) {
        chars++;
        supplementary++;
      }
    }
    return chars == text.length && chars >= 2 && chars <= LONGEST_BARE
        ? bare(text)
        : counted(text, chars, supplementary);
  }

  /** Short ASCII has no length; the top bit of the last character marks its end. */
  private static byte[] bare(byte[] text) {
    byte[] encoded = new byte[text.length + 1];
    encoded[0] = CLASS_ID;
    System.arraycopy(text, 0, encoded, 1, text.length);
    encoded[text.length] |= (byte) 0x80;
    return encoded;
  }

  /** The number of UTF-16 units plus one, then each unit encoded as one character. */
  private static byte[] counted(byte[] text, int chars, int supplementary) {
    int length = chars + 1;
    int lengthBytes = 1;
    for (int rest = length >>> 6; rest != 0; rest >>>= 7) {
      lengthBytes++;
    }
    // A surrogate pair takes six bytes instead of four.
    byte[] encoded = new byte[1 + lengthBytes + text.length + 2 * supplementary];
    encoded[0] = CLASS_ID;
    int rest = length >>> 6;
    encoded[1] = (byte) (0x80 | (rest != 0 ? 0x40 : 0) | (length & 0x3f));
    int to = 2;
    while (rest != 0) {
      encoded[to++] = (byte) (rest >>> 7 != 0 ? 0x80 | (rest & 0x7f) : rest);
      rest >>>= 7;
    }
    for (int at = 0; at < text.length; ) {
      int codePoint = Utf8.codePoint(text, at);
      int codeLength = Utf8.length(codePoint);
      if (Character.isSupplementaryCodePoint(codePoint)) {
        to = putUnit(Character.highSurrogate(codePoint), encoded, to);
        to = putUnit(Character.lowSurrogate(codePoint), encoded, to);
      } else {
        System.arraycopy(text, at, encoded, to, codeLength);
        to += codeLength;
      }
      at += codeLength;
    }
    return encoded;
  }

  private static int putUnit(char unit, byte[] encoded, int to) {
    encoded[to] = (byte) (0xe0 | (unit >> 12));
    encoded[to + 1] = (byte) (0x80 | ((unit >> 6) & 0x3f));
    encoded[to + 2] = (byte) (0x80 | (unit & 0x3f));
    return to + 3;
  }
}
