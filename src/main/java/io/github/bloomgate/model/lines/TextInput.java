package io.github.bloomgate.model.lines;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Lines of text as they arrive. A read fails if the first kilobyte is not UTF-8 text: a file in
 * UTF-16 or gzip would otherwise be added as meaningless elements.
 */
final class TextInput extends FilterInputStream {

  private final byte[] head = new byte[FileSignature.TEXT_BYTES];
  private int seen;

  TextInput(InputStream in) {
    super(in);
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  /**
   * @throws ContentMismatchException if the bytes are not text
   */
  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    var count = in.read(into, offset, length);
    if (count > 0 && seen < head.length) {
      var some = Math.min(count, head.length - seen);
      System.arraycopy(into, offset, head, seen, some);
      seen += some;
      var signature = FileSignature.ofText(head, seen);
      if (signature.isPresent()) {
        throw new ContentMismatchException(signature.get());
      }
    }
    return count;
  }
}
