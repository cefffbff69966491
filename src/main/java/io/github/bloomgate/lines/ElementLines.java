package io.github.bloomgate.lines;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Reads elements from lines, in batches. A line ends with LF or CR LF; the last one may end
 * without.
 *
 * <p>A batch is what has arrived, so that a live source gets its elements acted on while it pauses.
 * Memory holds the batch, which is at most {@value LineBatch#MAX_ELEMENTS} elements or a MiB and a
 * line, and a buffer. Not thread-safe.
 */
public final class ElementLines {

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final LineFormat format;
  private final ElementEncoding encoding;
  private final LineReader reader;
  private long nextLine = 1;
  private InvalidLineException invalid;
  private IOException broken;

  /**
   * Lines of an input, which is not closed.
   *
   * @param in its {@code available} must not be positive when a read would wait
   */
  public ElementLines(InputStream in, LineFormat format, ElementEncoding encoding) {
    this.format = format;
    this.encoding = encoding;
    this.reader = new LineReader(in, format.maxLineBytes(encoding));
  }

  /**
   * Waits for a line, then takes all that can be had without waiting, up to a full batch.
   *
   * @return empty after the last line
   * @throws InvalidLineException if the next line stands for no element; all lines before it were
   *     returned, and no line behind it ever is
   * @throws IOException as the input does; all whole lines before were returned
   */
  public Optional<LineBatch> next() throws IOException, InvalidLineException {
    var batch = new LineBatch(nextLine);
    while (canGoOn(batch) && readInto(batch)) {}
    if (!batch.elements().isEmpty()) {
      return Optional.of(batch);
    }
    if (invalid != null) {
      throw invalid;
    }
    if (broken != null) {
      throw broken;
    }
    return Optional.empty();
  }

  /** Whether {@link #next} may have to wait for input. */
  public boolean mayWait() throws IOException {
    return invalid == null && broken == null && reader.mayWait();
  }

  /** The number of the line that is read next, counted from 1. */
  public long nextLine() {
    return nextLine;
  }

  private boolean canGoOn(LineBatch batch) throws IOException {
    return invalid == null
        && broken == null
        && !batch.isFull()
        && (batch.elements().isEmpty() || !reader.mayWait());
  }

  private boolean readInto(LineBatch batch) throws IOException {
    try {
      var line = reader.next();
      if (line == null) {
        return false;
      }
      if (nextLine == 1 && startsWithMark(line)) {
        throw new MalformedLineException(
            "begins with a byte order mark; remove it, or send it as base64 or hex if it belongs to"
                + " the element");
      }
      batch.add(line, format.decode(line, encoding));
      nextLine++;
      return true;
    } catch (LineTooLongException tooLong) {
      invalid = new InvalidLineException(nextLine, ElementEncoding.TOO_LONG);
    } catch (MalformedLineException malformed) {
      invalid = new InvalidLineException(nextLine, malformed.getMessage());
    } catch (IOException failure) {
      broken = failure;
    }
    return false;
  }

  private static boolean startsWithMark(byte[] line) {
    for (var i = 0; i < BYTE_ORDER_MARK.length; i++) {
      if (i >= line.length || line[i] != BYTE_ORDER_MARK[i]) {
        return false;
      }
    }
    return true;
  }
}
