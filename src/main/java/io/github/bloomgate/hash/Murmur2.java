package io.github.bloomgate.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * MurmurHash2 in its 64-bit variant for 64-bit machines, by Austin Appleby (public domain, {@code
 * MurmurHash64A} of SMHasher). Stateless and allocation-free.
 */
final class Murmur2 {

  private static final VarHandle LITTLE_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long M = 0xc6a4a7935bd1e995L;

  private Murmur2() {}

  static long hash64A(byte[] data, long seed) {
    long h = seed ^ data.length * M;
    int wordsEnd = data.length & ~7;
    for (int i = 0; i < wordsEnd; i += 8) {
      h = (h ^ shiftMix((long) LITTLE_ENDIAN_LONG.get(data, i) * M) * M) * M;
    }
    if (wordsEnd < data.length) {
      long tail = 0;
      for (int i = data.length - 1; i >= wordsEnd; i--) {
        tail = tail << 8 | (data[i] & 0xff);
      }
      h = (h ^ tail) * M;
    }
    return shiftMix(shiftMix(h) * M);
  }

  private static long shiftMix(long word) {
    return word ^ word >>> 47;
  }
}
