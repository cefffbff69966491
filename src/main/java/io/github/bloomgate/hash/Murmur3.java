package io.github.bloomgate.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * MurmurHash3 in its x64 128-bit variant with seed 0, by Austin Appleby (public domain, {@code
 * MurmurHash3_x64_128} of SMHasher). Stateless and allocation-free.
 */
final class Murmur3 {

  private static final VarHandle LITTLE_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long C1 = 0x87c37b91114253d5L;
  private static final long C2 = 0x4cf5ad432745937fL;

  private Murmur3() {}

  /** Hashes all bytes of {@code data} into h1 at index 0 of {@code out} and h2 at index 1. */
  static void hash(byte[] data, long[] out) {
    hash(data, 0, data.length, out);
  }

  /**
   * Hashes a range of {@code data}.
   *
   * @param start index of the first byte
   * @param end index after the last byte
   * @param out receives h1 at index 0 and h2 at index 1
   */
  static void hash(byte[] data, int start, int end, long[] out) {
    long h1 = 0;
    long h2 = 0;
    int length = end - start;
    int blocksEnd = start + (length & ~15);

    for (int i = start; i < blocksEnd; i += 16) {
      h1 ^= mixK1((long) LITTLE_ENDIAN_LONG.get(data, i));
      h1 = Long.rotateLeft(h1, 27) + h2;
      h1 = h1 * 5 + 0x52dce729;
      h2 ^= mixK2((long) LITTLE_ENDIAN_LONG.get(data, i + 8));
      h2 = Long.rotateLeft(h2, 31) + h1;
      h2 = h2 * 5 + 0x38495ab5;
    }

    // The tail is a block padded with zeros. Mixing a zero word gives zero, so no case is special.
    int tail = end - blocksEnd;
    if (tail >= 8) {
      h1 ^= mixK1((long) LITTLE_ENDIAN_LONG.get(data, blocksEnd));
      h2 ^= mixK2(littleEndian(data, blocksEnd + 8, end));
    } else {
      h1 ^= mixK1(littleEndian(data, blocksEnd, end));
    }

    h1 ^= length;
    h2 ^= length;
    h1 += h2;
    h2 += h1;
    h1 = finalMix(h1);
    h2 = finalMix(h2);
    h1 += h2;
    h2 += h1;
    out[0] = h1;
    out[1] = h2;
  }

  /** At most 8 bytes, cut from a whole word if one is available. */
  private static long littleEndian(byte[] data, int from, int to) {
    int unused = 8 * (8 - (to - from));
    if (to <= from) {
      return 0;
    }
    if (from + 8 <= data.length) {
      return (long) LITTLE_ENDIAN_LONG.get(data, from) << unused >>> unused;
    }
    if (to >= 8) {
      return (long) LITTLE_ENDIAN_LONG.get(data, to - 8) >>> unused;
    }
    long word = 0;
    for (int i = to - 1; i >= from; i--) {
      word = word << 8 | (data[i] & 0xff);
    }
    return word;
  }

  private static long mixK1(long k1) {
    return Long.rotateLeft(k1 * C1, 31) * C2;
  }

  private static long mixK2(long k2) {
    return Long.rotateLeft(k2 * C2, 33) * C1;
  }

  private static long finalMix(long h) {
    h ^= h >>> 33;
    h *= 0xff51afd7ed558ccdL;
    h ^= h >>> 33;
    h *= 0xc4ceb9fe1a85ec53L;
    return h ^ h >>> 33;
  }
}
