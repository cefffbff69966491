package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** {@link Murmur3} against published values; GoldenVectorsTest adds the reference's. */
class Murmur3Test {

  @Test
  void emptyInputHashesToZero() {
    long[] words = {1, 2};
    Murmur3.hash(new byte[0], 0, words);
    assertArrayEquals(new long[] {0, 0}, words);
  }

  @Test
  void matchesTheVerificationValueOfSmHasher() {
    // KeysetTest.cpp: keys {}, {0}, {0,1}, ... with seeds 256, 255, ...; then the digests' hash.
    ByteBuffer digests = ByteBuffer.allocate(256 * 16).order(ByteOrder.LITTLE_ENDIAN);
    long[] words = new long[2];
    for (int length = 0; length < 256; length++) {
      byte[] key = new byte[length];
      for (int i = 0; i < length; i++) {
        key[i] = (byte) i;
      }
      Murmur3.hash(key, 256 - length, words);
      digests.putLong(words[0]).putLong(words[1]);
    }
    Murmur3.hash(digests.array(), 0, words);
    assertEquals(0x6384BA69, (int) words[0]);
  }

  @Test
  void matchesThePublishedDigestOfTheQuickBrownFox() {
    long[] words = new long[2];
    Murmur3.hash(
        "The quick brown fox jumps over the lazy dog".getBytes(StandardCharsets.US_ASCII),
        0,
        words);
    byte[] digest =
        ByteBuffer.allocate(16)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(words[0])
            .putLong(words[1])
            .array();
    assertEquals("6c1b07bc7bbc4be347939ac4a93c437a", HexFormat.of().formatHex(digest));
  }

  @Test
  void seedIsUnsigned() {
    // For no bytes at all both words start and stay equal to the seed until the final mix.
    long[] words = new long[2];
    Murmur3.hash(new byte[0], -1, words);
    assertArrayEquals(new long[] {0x6af1df4d9d3bc9ecL, 0x857421121ee6446bL}, words);
  }
}
