package io.github.bloomgate.hash;

import java.io.ByteArrayOutputStream;

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
    String chars = Utf8.decode(text);
    boolean isAscii = chars.length() == text.length;
    return isAscii && chars.length() >= 2 && chars.length() <= LONGEST_BARE
        ? bare(text)
        : counted(chars);
  }

  /** Short ASCII has no length; the top bit of the last character marks its end. */
  private static byte[] bare(byte[] text) {
    byte[] encoded = new byte[text.length + 1];
    encoded[0] = CLASS_ID;
    System.arraycopy(text, 0, encoded, 1, text.length);
    encoded[text.length] |= (byte) 0x80;
    return encoded;
  }

  /** The number of chars plus one, then each char, a surrogate too, as UTF-8 encodes it alone. */
  private static byte[] counted(String chars) {
    var encoded = new ByteArrayOutputStream(chars.length() + Long.BYTES);
    encoded.write(CLASS_ID);
    int length = chars.length() + 1;
    encoded.write(0x80 | (length > 0x3f ? 0x40 : 0) | (length & 0x3f));
    for (int rest = length >>> 6; rest != 0; rest >>>= 7) {
      encoded.write((rest > 0x7f ? 0x80 : 0) | (rest & 0x7f));
    }
    for (int i = 0; i < chars.length(); i++) {
      write(chars.charAt(i), encoded);
    }
    return encoded.toByteArray();
  }

  private static void write(int unit, ByteArrayOutputStream encoded) {
    if (unit < 0x80) {
      encoded.write(unit);
      return;
    }
    if (unit < 0x800) {
      encoded.write(0xc0 | unit >> 6);
    } else {
      encoded.write(0xe0 | unit >> 12);
      encoded.write(0x80 | ((unit >> 6) & 0x3f));
    }
    encoded.write(0x80 | (unit & 0x3f));
  }
}
