package io.github.bloomgate.rebuild.source;

import io.github.bloomgate.lines.ContentMismatchException;
import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.lines.ElementLines;
import io.github.bloomgate.lines.InvalidLineException;
import io.github.bloomgate.lines.LineBatch;
import io.github.bloomgate.lines.LineFormat;
import io.github.bloomgate.lines.Sender;
import io.github.bloomgate.lines.UnpackedInput;
import io.github.bloomgate.model.error.RebuildErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Optional;

/** Reads elements from the lines of a source. */
final class SourceLines implements SourceReader {

  private static final int BATCH_BYTES = 4 << 20;

  static final String PACKED = ".gz";

  private final InputStream source;
  private final UnpackedInput content;
  private final ElementLines lines;
  private final EndCheck atEnd;

  /** Not for encoded elements, which no document consists of. */
  private final Optional<DocumentCheck> document;

  private Optional<LineBatch> batch = Optional.empty();

  /** Checks, after the last line, that everything was read. */
  interface EndCheck {
    /**
     * Fails with SOURCE_UNREADABLE if it was not.
     *
     * @param isPacked whether it was gzip, which detects truncation
     */
    void check(boolean isPacked) throws IOException;
  }

  /**
   * Closes the source with this reader.
   *
   * @param source its {@code close} makes a blocked read fail
   * @param decoded the source without its content coding; decompressed if it is gzip
   * @param declared the charset that the source declares, if any
   * @param name of the file; if it ends with {@link #PACKED}, an empty file is a truncated gzip
   */
  SourceLines(
      InputStream source,
      InputStream decoded,
      String name,
      LineFormat format,
      ElementEncoding encoding,
      Optional<Charset> declared,
      EndCheck atEnd) {
    this.source = source;
    this.content = new UnpackedInput(decoded, !name.endsWith(PACKED));
    this.lines =
        new ElementLines(content, format, encoding, declared, last -> BATCH_BYTES, Sender.SOURCE);
    this.atEnd = atEnd;
    this.document =
        format == LineFormat.TEXT && encoding == ElementEncoding.UTF_8
            ? Optional.of(new DocumentCheck())
            : Optional.empty();
  }

  @Override
  public List<byte[]> next() {
    try {
      batch.ifPresent(lines::reuse);
      batch = lines.next();
      if (batch.isEmpty()) {
        atEnd.check(content.isPacked());
        document.ifPresent(DocumentCheck::requireAtEnd);
        return List.of();
      }
      var elements = batch.get().elements();
      document.ifPresent(check -> check.require(elements));
      return elements;
    } catch (InvalidLineException invalid) {
      throw RebuildErrors.sourceUnreadable(
          "Line %d of the source %s. Correct it."
              .formatted(lines.nextLine(), invalid.getMessage()));
    } catch (ContentMismatchException other) {
      throw RebuildErrors.sourceUnreadable(
          "The source %s. %s".formatted(other.getMessage(), other.remedy()));
    } catch (IOException broken) {
      throw RebuildErrors.sourceUnreadable(
          "The source broke off at line %d: it was cut short, paused too long, or is not valid gzip. Check the source, then run it again."
              .formatted(lines.nextLine()));
    }
  }

  @Override
  public void close() {
    try {
      // Not the decoder, which would not fail with IOException if closed during a read.
      source.close();
    } catch (IOException failure) {
      // The content is complete or unused.
      return;
    }
  }
}
