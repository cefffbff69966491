package io.github.bloomgate.files.portable;

import java.io.InputStream;
import java.util.Arrays;

/** Zeros with a few set bits, in the module's bit order. */
final class SparseBits extends InputStream {
  private final long[] positions;
  private final long bytes;
  private long at;
  private int index;

  SparseBits(long[] positions, long bytes) {
    this.positions = positions;
    this.bytes = bytes;
  }

  @Override
  public int read() {
    var single = new byte[1];
    return read(single, 0, 1) == -1 ? -1 : single[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int start, int length) {
    var count = (int) Math.min(length, bytes - at);
    if (count == 0) {
      return -1;
    }
    Arrays.fill(buffer, start, start + count, (byte) 0);
    for (; index < positions.length && positions[index] / 8 < at + count; index++) {
      buffer[start + (int) (positions[index] / 8 - at)] |=
          (byte) (1 << (int) (positions[index] % 8));
    }
    at += count;
    return count;
  }
}
