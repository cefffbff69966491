package io.github.bloomgate.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Counts the bits that are 1, as BITCOUNT does. */
public final class BitCount {

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private BitCount() {}

  public static long of(byte[] bytes, int start, int length) {
    var count = 0L;
    var i = start;
    var end = start + length;
    for (; i <= end - Long.BYTES; i += Long.BYTES) {
      count += Long.bitCount((long) WORDS.get(bytes, i));
    }
    for (; i < end; i++) {
      count += Integer.bitCount(bytes[i] & 0xff);
    }
    return count;
  }
}
