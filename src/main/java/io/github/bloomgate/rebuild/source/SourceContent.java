package io.github.bloomgate.rebuild.source;

import io.github.bloomgate.model.lines.UnpackedInput;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * What a source holds, unzipped if it is gzip. It may be closed by one thread while another reads:
 * that read then fails as one of the source itself would.
 */
final class SourceContent extends FilterInputStream {

  /** What the names of sources in gzip end with. */
  static final String SUFFIX = ".gz";

  private final InputStream source;
  private final UnpackedInput content;

  /**
   * @param source closed with this
   * @param decoded the same without a coding of its transfer
   */
  SourceContent(InputStream source, InputStream decoded, String name) {
    this(source, new UnpackedInput(decoded, !name.endsWith(SUFFIX)));
  }

  private SourceContent(InputStream source, UnpackedInput content) {
    super(content);
    this.source = source;
    this.content = content;
  }

  /** Whether a cut is noticed by what was read; known once some of it was. */
  boolean isPacked() {
    return content.isPacked();
  }

  @Override
  public void close() throws IOException {
    // Not the decoder, which fails otherwise than by IOException when it is closed while in use.
    source.close();
  }
}
