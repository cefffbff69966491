package io.github.bloomgate.hash;

/** Reads code points from UTF-8, strictly and without allocation. */
final class Utf8 {

  private Utf8() {}

  /**
   * The code point that starts at an index.
   *
   * @throws UnsupportedElementException if it is invalid: a stray or missing byte, an overlong
   *     form, a surrogate, or above U+10FFFF
   */
  static int codePoint(byte[] text, int at) {
    int first = text[at];
    if (first >= 0) {
      return first;
    }
    int codePoint;
    int length;
    if ((first & 0xe0) == 0xc0) {
      codePoint = first & 0x1f;
      length = 2;
    } else if ((first & 0xf0) == 0xe0) {
      codePoint = first & 0x0f;
      length = 3;
    } else if ((first & 0xf8) == 0xf0) {
      codePoint = first & 0x07;
      length = 4;
    } else {
      throw notText();
    }
    if (length > text.length - at) {
      throw notText();
    }
    for (int i = 1; i < length; i++) {
      if ((text[at + i] & 0xc0) != 0x80) {
        throw notText();
      }
      codePoint = (codePoint << 6) | (text[at + i] & 0x3f);
    }
    if (length(codePoint) != length
        || codePoint > Character.MAX_CODE_POINT
        || Character.getType(codePoint) == Character.SURROGATE) {
      throw notText();
    }
    return codePoint;
  }

  static int length(int codePoint) {
    return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }

  private static UnsupportedElementException notText() {
    return new UnsupportedElementException(
        "is not valid UTF-8, and the filter's hash scheme is defined for text only");
  }
}
