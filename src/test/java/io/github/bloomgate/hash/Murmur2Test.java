package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** {@link Murmur2} against SMHasher's verification value and the words of RedisBloom. */
class Murmur2Test {

  @Test
  void matchesTheVerificationValueOfSmHasher() {
    // KeysetTest.cpp: keys {}, {0}, {0,1}, ... with seeds 256, 255, ...; then the digests' hash.
    ByteBuffer digests = ByteBuffer.allocate(256 * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (int length = 0; length < 256; length++) {
      byte[] key = new byte[length];
      for (int i = 0; i < length; i++) {
        key[i] = (byte) i;
      }
      digests.putLong(Murmur2.hash64A(key, 256 - length));
    }
    assertEquals(0x1F0D3804, (int) Murmur2.hash64A(digests.array(), 0));
  }

  @Test
  void matchesTheWordsOfTheModule() {
    for (JsonNode row : LibraryVectors.of("redisbloom").root().get("locations")) {
      byte[] element = HexFormat.of().parseHex(row.get("elementHex").asText());
      long first = Murmur2.hash64A(element, 0xc6a4a7935bd1e995L);
      assertEquals(row.get("hashAHex").asText(), "%016x".formatted(first));
      assertEquals(
          row.get("hashBHex").asText(), "%016x".formatted(Murmur2.hash64A(element, first)));
    }
  }
}
