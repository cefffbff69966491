package io.github.bloomgate.files.portable;

import io.github.bloomgate.hash.BitCount;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Writes a filter of one bitmap as a library's file. These formats have no end marker, so the last
 * bytes are held back until the file is complete.
 */
final class BitmapWriter implements FilterWriter {

  private final OutputStream out;
  private final BitmapBody body;
  private long offset;
  private long bitsSet;
  private byte[] last = new byte[0];

  /** Writes the header. */
  BitmapWriter(OutputStream out, BitmapBody body) throws IOException {
    this.out = out;
    this.body = body;
    out.write(body.header());
  }

  @Override
  public void write(byte[] bytes) throws IOException {
    var isLast = offset + bytes.length == body.parameters().shape().segmentBytes();
    bitsSet += BitCount.of(bytes, 0, bytes.length);
    var turned =
        Arrays.copyOf(bytes, isLast ? Math.toIntExact(body.bytes() - offset) : bytes.length);
    body.order().turn(turned, turned.length);
    offset += bytes.length;
    var kept = isLast ? Math.min(Long.BYTES, turned.length) : 0;
    out.write(turned, 0, turned.length - kept);
    last = Arrays.copyOfRange(turned, turned.length - kept, turned.length);
  }

  @Override
  public long bitsSet() {
    return bitsSet;
  }

  @Override
  public void endSegment(long insertions, boolean snapshot) {
    // The file has neither.
  }

  @Override
  public void end() throws IOException {
    out.write(last);
  }
}
