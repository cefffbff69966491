package io.github.bloomgate.lines;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Splits bytes into lines. A line ends with LF, which is not part of it; a CR before it is. The
 * last line may lack the LF. Holds at most one line and one buffer. After an IOException it must
 * not be used any more. Not thread-safe.
 *
 * <p>Reading fails if the first kilobyte is not UTF-8 text: a file in UTF-16 or gzip would
 * otherwise be added as meaningless elements.
 */
final class LineReader {

  /** The length of the beginning that is checked. */
  static final int HEAD_BYTES = FileSignature.TEXT_BYTES;

  private static final int BUFFER_BYTES = 65_536;
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long EIGHT_ONES = 0x0101010101010101L;
  private static final long EIGHT_LFS = 0x0A0A0A0A0A0A0A0AL;
  private static final long EIGHT_HIGH_BITS = 0x8080808080808080L;

  private final InputStream in;
  private final int maxLineBytes;
  private byte[] buffer = new byte[BUFFER_BYTES];

  /** Start of the bytes not yet returned. */
  private int start;

  private int end;

  /** There is no LF before this index. */
  private int searched;

  private boolean ended;

  private final byte[] head = new byte[HEAD_BYTES];
  private int headBytes;

  private int lineStart;

  private int lineEnd;

  /**
   * @param maxLineBytes the limit of a line, without its LF
   */
  LineReader(InputStream in, int maxLineBytes) {
    this.in = in;
    this.maxLineBytes = maxLineBytes;
  }

  /**
   * Moves to the next line, which stays in {@link #buffer} until the next call.
   *
   * @return false after the last line
   * @throws InvalidLineException if the line exceeds the limit; nothing more can be read
   * @throws ContentMismatchException if the first kilobyte is not text
   * @throws IOException from the input; the incomplete line is not returned
   */
  boolean next() throws IOException, InvalidLineException {
    while (true) {
      var found = find();
      if (found >= 0) {
        take(found, found + 1);
        return true;
      }
      if (ended) {
        var isLast = start < end;
        take(end, end);
        return isLast;
      }
      if (end - start > maxLineBytes) {
        throw tooLong(end);
      }
      read();
    }
  }

  /**
   * The first bytes of the input, a char for each: at least the first line, up to a kilobyte. Only
   * before the first call of {@link #next}.
   */
  String beginning() throws IOException {
    while (!isDecided()) {
      read();
    }
    return new String(head, 0, headBytes, StandardCharsets.ISO_8859_1);
  }

  /**
   * As {@link #beginning}, but reads the whole kilobyte.
   *
   * @param mayWait whether to wait for bytes that have not arrived
   */
  String longBeginning(boolean mayWait) throws IOException {
    while (headBytes < head.length && !ended && (mayWait || in.available() > 0)) {
      read();
    }
    return beginning();
  }

  /** Whether all bytes of the input have been read. */
  boolean isAtEnd() {
    return ended;
  }

  /** Whether {@link #next} may block. */
  boolean mayWait() throws IOException {
    // The available bytes may be half a line.
    while (!isDecided() && in.available() > 0) {
      read();
    }
    return !isDecided();
  }

  /** Whether {@link #next} has enough bytes, if only to see that the line is too long. */
  private boolean isDecided() {
    return ended || find() >= 0 || end - start > maxLineBytes;
  }

  byte[] buffer() {
    return buffer;
  }

  int lineStart() {
    return lineStart;
  }

  /** The end of the line, exclusive. */
  int lineEnd() {
    return lineEnd;
  }

  private int find() {
    // Eight bytes at a time: XOR with eight LFs makes an LF zero, and only a zero byte borrows into
    // its high bit.
    for (; searched <= end - Long.BYTES; searched += Long.BYTES) {
      var difference = (long) WORDS.get(buffer, searched) ^ EIGHT_LFS;
      var zeros = difference - EIGHT_ONES & ~difference & EIGHT_HIGH_BITS;
      if (zeros != 0) {
        searched += Long.numberOfTrailingZeros(zeros) >>> 3;
        return searched;
      }
    }
    for (; searched < end; searched++) {
      if (buffer[searched] == '\n') {
        return searched;
      }
    }
    return -1;
  }

  private void take(int endOfLine, int next) throws InvalidLineException {
    if (endOfLine - start > maxLineBytes) {
      throw tooLong(endOfLine);
    }
    lineStart = start;
    lineEnd = endOfLine;
    start = next;
    searched = next;
  }

  private InvalidLineException tooLong(int endOfLine) {
    for (var i = start; i < endOfLine - 1; i++) {
      if (buffer[i] == '\r') {
        return new InvalidLineException(LineCheck.CARRIAGE_RETURN);
      }
    }
    return new InvalidLineException(ElementEncoding.TOO_LONG);
  }

  private void read() throws IOException {
    if (start > 0) {
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      searched -= start;
      start = 0;
    }
    if (end == buffer.length) {
      // A line longer than the buffer is rare, and the limit bounds the growth.
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    }
    var count = in.read(buffer, end, buffer.length - end);
    if (count < 0) {
      ended = true;
      return;
    }
    if (headBytes < head.length) {
      requireText(count);
    }
    end += count;
  }

  /** Checks the beginning of the input, after more of it was read into the end of the buffer. */
  private void requireText(int count) throws ContentMismatchException {
    var some = Math.min(count, head.length - headBytes);
    System.arraycopy(buffer, end, head, headBytes, some);
    headBytes += some;
    var signature = FileSignature.ofText(head, headBytes);
    if (signature.isPresent()) {
      throw new ContentMismatchException(signature.get());
    }
  }
}
