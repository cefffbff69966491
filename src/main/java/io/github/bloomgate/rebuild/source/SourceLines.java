package io.github.bloomgate.rebuild.source;

import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.lines.ContentMismatchException;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.model.lines.ElementLines;
import io.github.bloomgate.model.lines.InvalidLineException;
import io.github.bloomgate.model.lines.LineBatch;
import io.github.bloomgate.model.lines.LineFormat;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/** Reads elements from the lines of a source. */
final class SourceLines implements SourceReader {

  private static final int BATCH_BYTES = 4 << 20;

  private final InputStream in;
  private final ElementLines lines;
  private final EndCheck atEnd;
  private Optional<LineBatch> batch = Optional.empty();

  /** Checks, after the last line, that everything was read. */
  interface EndCheck {
    /** Fails with SOURCE_UNREADABLE if it was not. */
    void check() throws IOException;
  }

  /**
   * Closes the input with this reader.
   *
   * @param in its {@code close} makes a blocked read fail
   */
  SourceLines(InputStream in, LineFormat format, ElementEncoding encoding, EndCheck atEnd) {
    this.in = in;
    this.lines = new ElementLines(in, format, encoding, last -> BATCH_BYTES, false);
    this.atEnd = atEnd;
  }

  @Override
  public List<byte[]> next() {
    try {
      batch.ifPresent(lines::reuse);
      batch = lines.next();
      if (batch.isEmpty()) {
        atEnd.check();
        return List.of();
      }
      return batch.get().elements();
    } catch (InvalidLineException invalid) {
      throw RebuildErrors.sourceUnreadable(
          "Line %d of the source %s. Correct it.".formatted(invalid.line(), invalid.getMessage()));
    } catch (ContentMismatchException other) {
      throw RebuildErrors.sourceUnreadable(
          "The source %s. %s".formatted(other.getMessage(), other.remedy()));
    } catch (IOException broken) {
      throw RebuildErrors.sourceUnreadable(
          "The source broke off at line %d: it was cut short, paused too long, or is not valid gzip."
              .formatted(lines.nextLine()));
    }
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException failure) {
      // The content is complete or unused.
      return;
    }
  }
}
