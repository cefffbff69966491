package io.github.bloomgate.files.portable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The order of bits in a bitmap's bytes. */
enum BitOrder {
  /** As in {@code SETBIT}: bit 0 is the highest bit of byte 0. */
  REDIS {
    @Override
    long redis(long word) {
      return word;
    }
  },
  /** Big-endian words of 64 bits: bit 0 is the lowest bit of byte 7. */
  WORDS {
    @Override
    long redis(long word) {
      return Long.reverse(word);
    }
  },
  /** Bit 0 is the lowest bit of byte 0. */
  BYTES {
    @Override
    long redis(long word) {
      return Long.reverseBytes(Long.reverse(word));
    }
  };

  private static final VarHandle BIG_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** Converts a word to the order of Redis, or back. */
  abstract long redis(long word);

  /**
   * Converts bytes to the order of Redis, or back.
   *
   * @param length a multiple of 8, except for the order of Redis
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
