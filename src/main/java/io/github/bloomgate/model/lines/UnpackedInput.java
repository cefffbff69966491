package io.github.bloomgate.model.lines;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;

/**
 * The content of a file, unzipped if its first bytes are those of gzip, whatever its name or a
 * server says. Reads nothing before it is read. Not thread-safe.
 */
public final class UnpackedInput extends InputStream {

  private static final byte[] GZIP = {0x1F, (byte) 0x8B, 8};

  private final PushbackInputStream in;
  private final boolean mayBeEmpty;
  private InputStream content;

  /**
   * Unpacks an input, which is not closed.
   *
   * @param mayBeEmpty whether a file without a byte is whole; one that is named as a gzip is not
   */
  public UnpackedInput(InputStream in, boolean mayBeEmpty) {
    this.in = new PushbackInputStream(in, FileSignature.PACKED_BYTES);
    this.mayBeEmpty = mayBeEmpty;
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  /**
   * @throws ContentMismatchException if it is packed in another way
   * @throws IOException as the input does, or if the gzip is not whole
   */
  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (content == null) {
      content = open();
    }
    return content.read(into, offset, length);
  }

  @Override
  public int available() throws IOException {
    return content == null ? in.available() : content.available();
  }

  /** Whether it was packed, so that a cut is noticed; known once some of it was read. */
  public boolean isPacked() {
    return content instanceof Gunzip;
  }

  private InputStream open() throws IOException {
    var head = in.readNBytes(FileSignature.PACKED_BYTES);
    in.unread(head);
    // One that ends within the signature is a gzip that is cut short.
    var length = Math.min(head.length, GZIP.length);
    if (Arrays.equals(head, 0, length, GZIP, 0, length) && (length > 0 || !mayBeEmpty)) {
      return new Gunzip(in);
    }
    var other = FileSignature.ofPacked(head, head.length);
    if (other.isPresent()) {
      throw new ContentMismatchException(other.get());
    }
    return in;
  }
}
