package io.github.bloomgate.model.lines;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Cuts bytes into lines. A line ends with LF, which is not part of it; a CR before it is. The last
 * line need not end with LF. Holds one line and one buffer at most. Not thread-safe.
 */
final class LineReader {

  private static final int BUFFER_BYTES = 65_536;
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long EIGHT_ONES = 0x0101010101010101L;
  private static final long EIGHT_LFS = 0x0A0A0A0A0A0A0A0AL;
  private static final long EIGHT_HIGH_BITS = 0x8080808080808080L;

  private final InputStream in;
  private final int maxLineBytes;
  private byte[] buffer = new byte[BUFFER_BYTES];

  /** The bytes that were read and not handed out. */
  private int start;

  private int end;

  /** How far there is certainly no LF. */
  private int searched;

  private boolean ended;
  private IOException failure;

  /** Where the line that was handed out last is. */
  private int lineStart;

  private int lineEnd;

  /**
   * @param maxLineBytes the most bytes of a line, without its LF
   */
  LineReader(InputStream in, int maxLineBytes) {
    this.in = in;
    this.maxLineBytes = maxLineBytes;
  }

  /**
   * Goes on to the next line, which is then in {@link #buffer} until this is called again.
   *
   * @return false after the last
   * @throws LineTooLongException if it has more bytes than the limit; what follows is not readable
   * @throws IOException as the input does; the line that was cut short by it is not handed out
   */
  boolean next() throws IOException {
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
        throw new LineTooLongException();
      }
      read();
    }
  }

  /** Whether the next line, or the end, is certainly there without waiting for input. */
  boolean hasLine() {
    return ended || find() >= 0;
  }

  /** Whether {@link #next} may have to wait for input. */
  boolean mayWait() throws IOException {
    // What is there may be half a line.
    while (!isDecided() && in.available() > 0) {
      read();
    }
    return !isDecided();
  }

  /** Whether {@link #next} can tell what comes next, if only that it is too long. */
  private boolean isDecided() {
    return hasLine() || end - start > maxLineBytes;
  }

  /** Holds the line. */
  byte[] buffer() {
    return buffer;
  }

  /** Where the line begins. */
  int lineStart() {
    return lineStart;
  }

  /** Where it ends, exclusively. */
  int lineEnd() {
    return lineEnd;
  }

  private int find() {
    // Eight bytes at a time: a byte of a word is LF where the difference to eight LFs is zero, and
    // only a zero byte borrows into its high bit without having it.
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

  private void take(int endOfLine, int next) throws LineTooLongException {
    if (endOfLine - start > maxLineBytes) {
      throw new LineTooLongException();
    }
    lineStart = start;
    lineEnd = endOfLine;
    start = next;
    searched = next;
  }

  private void read() throws IOException {
    if (start > 0) {
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      searched -= start;
      start = 0;
    }
    if (end == buffer.length) {
      // A line longer than the buffer: seldom, and its limit bounds the growth.
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    }
    var length = readOnce();
    if (length < 0) {
      ended = true;
    } else {
      end += length;
    }
  }

  /** An input that has failed must not be taken for one that has ended. */
  private int readOnce() throws IOException {
    if (failure != null) {
      throw failure;
    }
    try {
      return in.read(buffer, end, buffer.length - end);
    } catch (IOException broken) {
      failure = broken;
      throw broken;
    }
  }
}
