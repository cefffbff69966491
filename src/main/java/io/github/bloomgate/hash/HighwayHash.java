package io.github.bloomgate.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * HighwayHash in its 128-bit variant, by Jyrki Alakuijala, Bill Cox and Jan Wassenberg: a keyed
 * pseudo-random function. Stateless and allocation-free.
 */
final class HighwayHash {

  /* The state is sixteen words, and a Java method returns one. To avoid allocation they are local variables of one loop, which processes the full packets, the rest and the six final rounds. */

  private static final VarHandle LITTLE_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int PACKET = 32;
  private static final int FINAL_ROUNDS = 6;

  private HighwayHash() {}

  /**
   * Hashes {@code data} from {@code start} (inclusive) to {@code end} (exclusive) into {@code
   * out[0]} and {@code out[1]}, under a key of four words.
   */
  static void hash(byte[] data, int start, int end, long[] key, long[] out) {
    long mul00 = 0xdbe6d5d5fe4cce2fL;
    long mul01 = 0xa4093822299f31d0L;
    long mul02 = 0x13198a2e03707344L;
    long mul03 = 0x243f6a8885a308d3L;
    long mul10 = 0x3bd39e10cb0ef593L;
    long mul11 = 0xc0acf169b5f18a8cL;
    long mul12 = 0xbe5466cf34e90c6cL;
    long mul13 = 0x452821e638d01377L;
    long v00 = mul00 ^ key[0];
    long v01 = mul01 ^ key[1];
    long v02 = mul02 ^ key[2];
    long v03 = mul03 ^ key[3];
    long v10 = mul10 ^ swap(key[0]);
    long v11 = mul11 ^ swap(key[1]);
    long v12 = mul12 ^ swap(key[2]);
    long v13 = mul13 ^ swap(key[3]);

    int length = end - start;
    int rest = length % PACKET;
    int restAt = end - rest;
    int packets = length / PACKET + (rest == 0 ? 0 : 1);
    for (int turn = 0; turn < packets + FINAL_ROUNDS; turn++) {
      int at = start + turn * PACKET;
      long a0;
      long a1;
      long a2;
      long a3;
      if (turn >= packets) {
        a0 = swap(v02);
        a1 = swap(v03);
        a2 = swap(v00);
        a3 = swap(v01);
      } else if (at < restAt) {
        a0 = (long) LITTLE_ENDIAN_LONG.get(data, at);
        a1 = (long) LITTLE_ENDIAN_LONG.get(data, at + 8);
        a2 = (long) LITTLE_ENDIAN_LONG.get(data, at + 16);
        a3 = (long) LITTLE_ENDIAN_LONG.get(data, at + 24);
      } else {
        long twice = ((long) rest << 32) + rest;
        v00 += twice;
        v01 += twice;
        v02 += twice;
        v03 += twice;
        v10 = rotateHalves(v10, rest);
        v11 = rotateHalves(v11, rest);
        v12 = rotateHalves(v12, rest);
        v13 = rotateHalves(v13, rest);
        a0 = restWord(data, restAt, rest, 0);
        a1 = restWord(data, restAt, rest, 8);
        a2 = restWord(data, restAt, rest, 16);
        a3 = restWord(data, restAt, rest, 24);
      }

      v10 += mul00 + a0;
      v11 += mul01 + a1;
      v12 += mul02 + a2;
      v13 += mul03 + a3;
      mul00 ^= product(v10, v00);
      mul01 ^= product(v11, v01);
      mul02 ^= product(v12, v02);
      mul03 ^= product(v13, v03);
      v00 += mul10;
      v01 += mul11;
      v02 += mul12;
      v03 += mul13;
      mul10 ^= product(v00, v10);
      mul11 ^= product(v01, v11);
      mul12 ^= product(v02, v12);
      mul13 ^= product(v03, v13);
      v00 += zipLow(v11, v10);
      v01 += zipHigh(v11, v10);
      v02 += zipLow(v13, v12);
      v03 += zipHigh(v13, v12);
      v10 += zipLow(v01, v00);
      v11 += zipHigh(v01, v00);
      v12 += zipLow(v03, v02);
      v13 += zipHigh(v03, v02);
    }
    out[0] = v00 + mul00 + v12 + mul12;
    out[1] = v01 + mul01 + v13 + mul13;
  }

  private static long swap(long word) {
    return Long.rotateLeft(word, 32);
  }

  private static long rotateHalves(long word, int distance) {
    return (long) Integer.rotateLeft((int) (word >>> 32), distance) << 32
        | Integer.toUnsignedLong(Integer.rotateLeft((int) word, distance));
  }

  /** The low half of one word times the high half of another. */
  private static long product(long low, long high) {
    return (low & 0xffffffffL) * (high >>> 32);
  }

  /** Bytes x3 y4 x2 x5 y6 x1 y7 x0, from the least significant. */
  private static long zipLow(long y, long x) {
    return octet(x, 3, 0)
        | octet(y, 4, 1)
        | octet(x, 2, 2)
        | octet(x, 5, 3)
        | octet(y, 6, 4)
        | octet(x, 1, 5)
        | octet(y, 7, 6)
        | octet(x, 0, 7);
  }

  /** Bytes y3 x4 y2 y5 y1 x6 y0 x7, from the least significant. */
  private static long zipHigh(long y, long x) {
    return octet(y, 3, 0)
        | octet(x, 4, 1)
        | octet(y, 2, 2)
        | octet(y, 5, 3)
        | octet(y, 1, 4)
        | octet(x, 6, 5)
        | octet(y, 0, 6)
        | octet(x, 7, 7);
  }

  private static long octet(long word, int from, int to) {
    return ((word >>> (8 * from)) & 0xff) << (8 * to);
  }

  /** Eight bytes of the packet for the last 1 to 31 bytes, which begin at {@code start}. */
  private static long restWord(byte[] data, int start, int rest, int word) {
    long result = 0;
    for (int i = 7; i >= 0; i--) {
      result = result << 8 | restOctet(data, start, rest, word + i);
    }
    return result;
  }

  private static int restOctet(byte[] data, int start, int rest, int i) {
    int wholeWords = rest & ~3;
    int loose = rest & 3;
    int from;
    if (i < wholeWords) {
      from = i;
    } else if (rest >= 16 && i >= 28) {
      from = rest - PACKET + i;
    } else if (rest < 16 && loose > 0 && i >= 16 && i <= 18) {
      from = wholeWords + (i == 16 ? 0 : i == 17 ? loose >> 1 : loose - 1);
    } else {
      return 0;
    }
    return data[start + from] & 0xff;
  }
}
