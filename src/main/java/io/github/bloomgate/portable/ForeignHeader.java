package io.github.bloomgate.portable;

import io.github.bloomgate.error.BloomException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** The header of a library's file, which has a fixed length. */
final class ForeignHeader {

  private ForeignHeader() {}

  /**
   * Fills the bytes of a header.
   *
   * @return its fields, big-endian
   * @throws BloomException CORRUPT_IMPORT if there are not as many
   */
  static ByteBuffer read(InputStream in, byte[] header) throws IOException {
    var length = in.readNBytes(header, 0, header.length);
    if (length < header.length) {
      throw BloomException.corruptImport("it is cut off after %d bytes".formatted(length), 0);
    }
    return ByteBuffer.wrap(header);
  }
}
