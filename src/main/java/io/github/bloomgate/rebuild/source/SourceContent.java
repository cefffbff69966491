package io.github.bloomgate.rebuild.source;

import io.github.bloomgate.model.lines.UnpackedInput;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The content of a source, decompressed if it is gzip. One thread may close it while another reads:
 * the read then fails like one of the source.
 */
final class SourceContent extends FilterInputStream {

  static final String SUFFIX = ".gz";

  private final InputStream source;
  private final UnpackedInput content;

  /**
   * @param source closed with this
   * @param decoded the source without its content coding
   */
  SourceContent(InputStream source, InputStream decoded, String name) {
    this(source, new UnpackedInput(decoded, !name.endsWith(SUFFIX)));
  }

  private SourceContent(InputStream source, UnpackedInput content) {
    super(content);
    this.source = source;
    this.content = content;
  }

  /** Whether truncation is detected; known after the first read. */
  boolean isPacked() {
    return content.isPacked();
  }

  @Override
  public void close() throws IOException {
    // Not the decoder, which would not fail with IOException if closed during a read.
    source.close();
  }
}
