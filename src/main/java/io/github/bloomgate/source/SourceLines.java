package io.github.bloomgate.source;

import io.github.bloomgate.error.BloomException;
import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.lines.ElementLines;
import io.github.bloomgate.lines.InvalidLineException;
import io.github.bloomgate.lines.LineBatch;
import io.github.bloomgate.lines.LineFormat;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** The elements of a source of lines. */
final class SourceLines implements SourceReader {

  private static final int ENOUGH_BYTES = 1 << 20;

  private final InputStream in;
  private final ElementLines lines;
  private final EndCheck atEnd;

  /** Looks, after the last line, whether what was read is the whole. */
  interface EndCheck {
    /** Fails with SOURCE_UNREADABLE if it is not. */
    void check() throws IOException;
  }

  /**
   * Reads an input, which is closed with this reader.
   *
   * @param in its {@code close} makes a read that waits fail
   */
  SourceLines(InputStream in, LineFormat format, ElementEncoding encoding, EndCheck atEnd) {
    this.in = in;
    this.lines = new ElementLines(in, format, encoding);
    this.atEnd = atEnd;
  }

  @Override
  public List<byte[]> next() {
    // A line batch is what has arrived; here nobody waits for it, and larger loads are cheaper.
    var elements = new ArrayList<byte[]>();
    var bytes = 0L;
    try {
      while (elements.size() < LineBatch.MAX_ELEMENTS && bytes < ENOUGH_BYTES) {
        var batch = lines.next();
        if (batch.isEmpty()) {
          break;
        }
        elements.addAll(batch.get().elements());
        bytes += batch.get().elements().stream().mapToLong(element -> element.length).sum();
      }
      if (elements.isEmpty()) {
        atEnd.check();
      }
      return elements;
    } catch (InvalidLineException invalid) {
      throw BloomException.sourceUnreadable(
          "Line %d of the source %s. Correct it.".formatted(invalid.line(), invalid.getMessage()));
    } catch (IOException broken) {
      throw BloomException.sourceUnreadable(
          "The source broke off at line %d: it was cut short, paused too long or is not the gzip it says it is."
              .formatted(lines.nextLine()));
    }
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException failure) {
      // What was read of it is complete or is not used.
      return;
    }
  }
}
