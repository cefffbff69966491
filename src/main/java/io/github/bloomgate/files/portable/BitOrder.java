package io.github.bloomgate.files.portable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Where the bits of a bitmap are in its bytes. */
enum BitOrder {
  /** As {@code SETBIT} counts: bit 0 is the highest bit of byte 0. */
  REDIS {
    @Override
    long redis(long word) {
      return word;
    }
  },
  /** In words of 64 bits, their bytes big-endian: bit 0 is the lowest bit of byte 7. */
  WORDS {
    @Override
    long redis(long word) {
      return Long.reverse(word);
    }
  },
  /** In bytes, each from its other end: bit 0 is the lowest bit of byte 0. */
  BYTES {
    @Override
    long redis(long word) {
      return Long.reverseBytes(Long.reverse(word));
    }
  };

  private static final VarHandle BIG_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** The same bits in the order of Redis; also the way back. */
  abstract long redis(long word);

  /**
   * Brings bytes into the order of Redis, or back from it.
   *
   * @param length their number; but for the order of Redis a multiple of 8
   */
  void turn(byte[] bytes, int length) {
    if (this == REDIS) {
      return;
    }
    for (var i = 0; i < length; i += Long.BYTES) {
      BIG_ENDIAN.set(bytes, i, redis((long) BIG_ENDIAN.get(bytes, i)));
    }
  }
}
