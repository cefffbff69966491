package io.github.bloomgate.lines;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts bytes into lines. A line ends with LF, which is not part of it; a CR before it is. The last
 * line need not end with LF. Holds one line and one buffer at most. Not thread-safe.
 */
final class LineReader {

  private static final int BUFFER_BYTES = 65_536;

  private final InputStream in;
  private final int maxLineBytes;
  private byte[] buffer = new byte[BUFFER_BYTES];

  /** The bytes that were read and not handed out. */
  private int start;

  private int end;

  /** How far there is certainly no LF. */
  private int searched;

  private boolean ended;

  /**
   * @param maxLineBytes the most bytes of a line, without its LF
   */
  LineReader(InputStream in, int maxLineBytes) {
    this.in = in;
    this.maxLineBytes = maxLineBytes;
  }

  /**
   * The next line; null after the last.
   *
   * @throws LineTooLongException if it has more bytes than the limit; what follows is not readable
   * @throws IOException as the input does; the line that was cut short by it is not handed out
   */
  byte[] next() throws IOException {
    while (true) {
      var lineEnd = find();
      if (lineEnd >= 0) {
        return take(lineEnd, lineEnd + 1);
      }
      if (ended) {
        return start == end ? null : take(end, end);
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
    return !hasLine() && in.available() <= 0;
  }

  private int find() {
    for (; searched < end; searched++) {
      if (buffer[searched] == '\n') {
        return searched;
      }
    }
    return -1;
  }

  private byte[] take(int lineEnd, int next) throws LineTooLongException {
    if (lineEnd - start > maxLineBytes) {
      throw new LineTooLongException();
    }
    var line = Arrays.copyOfRange(buffer, start, lineEnd);
    start = next;
    searched = next;
    return line;
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
    var length = in.read(buffer, end, buffer.length - end);
    if (length < 0) {
      ended = true;
    } else {
      end += length;
    }
  }
}
