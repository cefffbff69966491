package io.github.bloomgate.rebuild.source;

import io.github.bloomgate.model.lines.Gunzip;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The content of a source in gzip. It may be closed by one thread while another reads: that read
 * then fails as one of the source itself would.
 */
final class UnzippedSource extends FilterInputStream {

  /** What the names of such sources end with. */
  static final String SUFFIX = ".gz";

  private final InputStream zipped;

  UnzippedSource(InputStream zipped) {
    super(new Gunzip(zipped));
    this.zipped = zipped;
  }

  @Override
  public void close() throws IOException {
    // Not the decoder, which fails otherwise than by IOException when it is closed while in use.
    zipped.close();
  }
}
