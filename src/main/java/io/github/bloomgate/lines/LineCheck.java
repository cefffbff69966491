package io.github.bloomgate.lines;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.Optional;

/**
 * Refuses lines that come from text in another encoding or with other line ends, such as files that
 * were joined. They would be added as meaningless elements. Elements are bytes, so all else is
 * accepted unless the sender declares a charset.
 */
final class LineCheck {

  static final String CARRIAGE_RETURN =
      "has a carriage return (CR) without the line feed (LF) that ends a line; end lines with LF or"
          + " CR LF, and send an element that contains CR in base64, hex or NDJSON";

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long EIGHT_ONES = 0x0101010101010101L;
  private static final long EIGHT_CRS = 0x0D0D0D0D0D0D0D0DL;
  private static final long EIGHT_HIGH_BITS = 0x8080808080808080L;

  private final Optional<Charset> declared;

  LineCheck(Optional<Charset> declared) {
    this.declared = declared;
  }

  /**
   * Checks a line.
   *
   * @param end exclusive, without LF; a CR before it belongs to the line end
   */
  void require(byte[] bytes, int start, int end) throws InvalidLineException {
    var textEnd = end > start && bytes[end - 1] == '\r' ? end - 1 : end;
    if (!isPlain(bytes, start, textEnd)) {
      requireSame(bytes, start, textEnd);
    }
  }

  /** Whether all bytes are ASCII, without NUL and CR: the usual case. */
  private static boolean isPlain(byte[] bytes, int start, int end) {
    var i = start;
    // Eight bytes at a time: only a zero byte borrows into its high bit, and XOR makes a CR zero.
    for (; i <= end - Long.BYTES; i += Long.BYTES) {
      var word = (long) WORDS.get(bytes, i);
      var crs = word ^ EIGHT_CRS;
      if (((word - EIGHT_ONES | crs - EIGHT_ONES | word) & EIGHT_HIGH_BITS) != 0) {
        return false;
      }
    }
    for (; i < end; i++) {
      if (bytes[i] <= 0 || bytes[i] == '\r') {
        return false;
      }
    }
    return true;
  }

  private void requireSame(byte[] bytes, int start, int end) throws InvalidLineException {
    if (begins(bytes, start, end, 0xEF, 0xBB, 0xBF)) {
      throw new InvalidLineException(
          "begins with a byte order mark; remove it, or send it as base64 or hex if it belongs to"
              + " the element");
    }
    if (begins(bytes, start, end, 0xFF, 0xFE) || begins(bytes, start, end, 0xFE, 0xFF)) {
      throw new InvalidLineException(
          "begins with the mark of UTF-16; recode the part that begins here to UTF-8, or send the"
              + " element as base64 or hex");
    }
    for (var i = start; i < end; i++) {
      if (bytes[i] == 0) {
        throw new InvalidLineException(
            "holds the byte NUL, which text in UTF-16 has; recode the part that begins here to"
                + " UTF-8, or send the element as base64 or hex");
      }
      if (bytes[i] == '\r') {
        throw new InvalidLineException(CARRIAGE_RETURN);
      }
    }
    if (declared.isPresent()) {
      requireCharset(declared.get(), ByteBuffer.wrap(bytes, start, end - start));
    }
  }

  private static boolean begins(byte[] bytes, int start, int end, int... mark) {
    for (var i = 0; i < mark.length; i++) {
      if (start + i >= end || bytes[start + i] != (byte) mark[i]) {
        return false;
      }
    }
    return true;
  }

  private static void requireCharset(Charset charset, ByteBuffer line) throws InvalidLineException {
    try {
      charset.newDecoder().decode(line);
    } catch (CharacterCodingException other) {
      throw new InvalidLineException(
          "is not %1$s, although the Content-Type says charset=%1$s; recode it, or leave out the charset if elements are bytes"
              .formatted(charset.name()));
    }
  }
}
