package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.support.ProjectFiles;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The scheme {@code bloomgate-1-keyed} computes every value of the independent reference,
 * bloomgate_1_keyed.py, and reveals nothing without its key. {@code -Dtest.seed} repeats a run.
 */
class KeyedSchemeTest {

  private static final KeyOrigin ORIGIN = new KeyOrigin("0123456789abcdef", "00".repeat(16));
  private static final JsonNode VECTORS =
      ProjectFiles.json("src/test/resources/hash/bloomgate-1-keyed.json");

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  static HashScheme keyed(byte[] key) {
    return HashSchemes.keyed(ORIGIN, Optional.of(key));
  }

  @Test
  void highwayHashUnderAnyKey() {
    byte[] key = new byte[32];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) i;
    }
    HashScheme scheme = keyed(key);
    assertTrue(VECTORS.get("highwayHash").size() >= 90);
    for (JsonNode row : VECTORS.get("highwayHash")) {
      long[] words = new long[2];
      byte[] element = bytes(row, "elementHex");
      HighwayHash.hash(
          element,
          0,
          element.length,
          new long[] {
            0x0706050403020100L, 0x0f0e0d0c0b0a0908L, 0x1716151413121110L, 0x1f1e1d1c1b1a1918L
          },
          words);
      assertEquals(row.get("h1Hex").asText(), "%016x".formatted(words[0]), row::toString);
      assertEquals(row.get("h2Hex").asText(), "%016x".formatted(words[1]), row::toString);
      FilterShape shape = new FilterShape(3, 1 << 20, 4);
      long[] positions = new long[4];
      scheme.locate(element, shape, positions);
      long[] expanded = Arrays.copyOf(words, 4);
      scheme.place(expanded, 0, shape, expanded);
      assertArrayEquals(expanded, positions, row::toString);
    }
  }

  @Test
  void locations() {
    assertTrue(VECTORS.get("locations").size() >= 500);
    for (JsonNode row : VECTORS.get("locations")) {
      HashScheme scheme = keyed(bytes(row, "keyHex"));
      LibraryRows.assertLocated(scheme, row);

      FilterShape shape = LibraryRows.shape(row);
      byte[] element = bytes(row, "elementHex");
      byte[] around = randomBytes(element.length + 100);
      System.arraycopy(element, 0, around, 37, element.length);
      long[] within = new long[Math.max(2, shape.numHashFunctions())];
      scheme.hash(around, 37, 37 + element.length, within);
      scheme.place(within, 0, shape, within);
      assertArrayEquals(
          LibraryRows.longs(row.get("offsets")),
          Arrays.copyOf(within, shape.numHashFunctions()),
          "seed " + seed + row);
    }
  }

  @Test
  void withoutItsKeyItLocatesNothing() {
    FilterShape shape = new FilterShape(1, 64, 1);
    HashScheme unknown = HashSchemes.keyed(ORIGIN, Optional.empty());
    assertFalse(unknown.canLocate());
    assertThrows(
        IllegalStateException.class, () -> unknown.locate(new byte[1], shape, new long[2]));

    HashScheme ofNoFilter = HashSchemes.named("bloomgate-1-keyed").orElseThrow();
    assertTrue(ofNoFilter.isKeyed());
    assertEquals(Optional.empty(), ofNoFilter.keyOrigin());
    assertThrows(
        IllegalStateException.class, () -> ofNoFilter.locate(new byte[1], shape, new long[2]));
  }

  @Test
  void schemesAreEqualWhenTheirKeysComeFromTheSame() {
    HashScheme one = keyed(new byte[32]);
    assertEquals(one, HashSchemes.keyed(ORIGIN, Optional.empty()));
    assertEquals(one.hashCode(), HashSchemes.keyed(ORIGIN, Optional.empty()).hashCode());
    KeyOrigin salted = new KeyOrigin(ORIGIN.secretId(), "01".repeat(16));
    assertNotEquals(one, HashSchemes.keyed(salted, Optional.of(new byte[32])));
    KeyOrigin ofOther = new KeyOrigin("0".repeat(16), ORIGIN.salt());
    assertNotEquals(one, HashSchemes.keyed(ofOther, Optional.of(new byte[32])));
    assertNotEquals(one, HashSchemes.nativeScheme());
    assertFalse(one.toString().contains("key="));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0123456789abcde", "0123456789abcdeg", "0123456789ABCDEF"})
  void malformedOriginsAreRefused(String secretId) {
    assertThrows(
        IllegalArgumentException.class, () -> new KeyOrigin(secretId, ORIGIN.salt()), secretId);
    assertThrows(
        IllegalArgumentException.class,
        () -> new KeyOrigin(ORIGIN.secretId(), secretId + secretId));
  }

  @Test
  void keysOfAnotherLengthAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> keyed(new byte[31]));
    assertThrows(IllegalArgumentException.class, () -> keyed(new byte[33]));
  }

  private byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] bytes(JsonNode row, String field) {
    return HexFormat.of().parseHex(row.get(field).asText());
  }
}
