package io.github.bloomgate.lines;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;

/**
 * The content of a file, decompressed if its first bytes are gzip's, regardless of its name or
 * headers. Reads lazily. Not thread-safe.
 */
public final class UnpackedInput extends InputStream {

  private static final byte[] GZIP = {0x1F, (byte) 0x8B, 8};

  private final PushbackInputStream in;
  private final boolean mayBeEmpty;
  private InputStream content;

  /**
   * Does not close the input.
   *
   * @param mayBeEmpty whether an empty file is valid; an empty gzip is not
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
   * Decompresses.
   *
   * @throws ContentMismatchException if it is compressed in another format
   * @throws IOException from the input, or if the gzip is incomplete
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

  /** Whether it was compressed, so that truncation is detected; known after the first read. */
  public boolean isPacked() {
    return content instanceof Gunzip;
  }

  private InputStream open() throws IOException {
    var head = in.readNBytes(FileSignature.PACKED_BYTES);
    in.unread(head);
    // An input that ends within the signature is a truncated gzip.
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
