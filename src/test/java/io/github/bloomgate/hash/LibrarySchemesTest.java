package io.github.bloomgate.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of schemes, and the limits, the rounding and the codecs of other libraries' schemes. */
class LibrarySchemesTest {

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  @ParameterizedTest
  @CsvSource({
    "go-zero, 4294967296, 14",
    "guava-mitz-32, 4294967296, 7",
    "guava-mitz-64, 4294967296, 7",
    "guava-redis-helper, 2147483647, 7",
    "guava-redis-helper-once, 2147483647, 7",
    "bits-and-blooms, 4294967296, 7",
    "redisson, 4294967294, 7",
    "scrapy-redis-bloomfilter, 4294967296, 6",
    "redisbloom, 4294967296, 7",
    "rueidisprob, 4294967296, 7",
  })
  void mostBits(String id, long limit, int k) {
    assertEquals(new FilterShape(1, limit, k), scheme(id).shapeOf(limit, k));
    assertRefused(id, limit + 1, k, String.valueOf(limit));
    assertRefused(id, Long.MAX_VALUE, k, String.valueOf(limit));
    assertRefused(id, 0, k, "0");
    assertRefused(id, -64, k, "-64");
    assertRefused(id, 64, 0, "0");
    assertRefused(id, 64, -1, "-1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"guava-mitz-32", "guava-mitz-64"})
  void guavaHasWholeWordsAndOneByteForK(String id) {
    assertEquals(new FilterShape(1, 64, 1), scheme(id).shapeOf(1, 1));
    assertEquals(new FilterShape(1, 64, 255), scheme(id).shapeOf(64, 255));
    assertEquals(new FilterShape(1, 128, 7), scheme(id).shapeOf(65, 7));
    assertRefused(id, 64, 256, "255");
    assertEquals(Optional.of(new FilterShape(1, 64, 1)), scheme(id).formerShapeFor(1, 0.25));
    assertEquals(new FilterShape(1, 64, 2), scheme(id).shapeFor(1, 0.25));
    assertEquals(Optional.empty(), scheme(id).formerShapeFor(1_000_000, 0.01));
  }

  @Test
  void redisBloomHasWholeWordsAndTheModulesLimits() {
    HashScheme scheme = scheme("redisbloom");
    assertEquals(new FilterShape(1, 64, 1), scheme.shapeOf(1, 1));
    assertEquals(new FilterShape(1, 128, 7), scheme.shapeOf(65, 7));
    assertEquals(Optional.empty(), scheme.formerShapeFor(100, 0.01));
    // The truncated constants make a difference when the rate is a power of 1/2.
    assertEquals(new FilterShape(1, 320, 3), scheme.shapeFor(100, 0.25));
    assertEquals(scheme.shapeFor(100, 0.25), scheme.shapeFor(100, 0.9));
    assertEquals(new FilterShape(1, 3_098_164_032L, 3), scheme.shapeFor(1 << 30, 0.25));
    assertSizingRefused("redisbloom", (1 << 30) + 1, 0.25, "1073741824");
    assertSizingRefused("redisbloom", 1 << 30, 0.01, "4294967296");
  }

  @Test
  void helperSaturatesAndTakesFewerHashFunctions() {
    assertEquals(
        new FilterShape(1, Integer.MAX_VALUE, 1),
        scheme("guava-redis-helper").shapeFor(2_000_000_000, 1e-6));
  }

  /** A stored shape is not rounded again when it is read. */
  @Test
  void shapesAreNotRoundedAgain() {
    for (String id : HashSchemes.ids()) {
      HashScheme scheme = scheme(id);
      for (int bits = 1; bits <= 32; bits++) {
        int k = id.equals("go-zero") ? 14 : bits;
        long m =
            id.startsWith("scrapy")
                ? 1L << bits
                : Math.min(random.nextLong(1, (1L << bits) + 1), Integer.MAX_VALUE);
        FilterShape shape = scheme.shapeOf(m, k);
        assertEquals(shape, scheme.shapeOf(shape.bitSize(), k), "seed " + seed + ", " + id);
      }
    }
  }

  @Test
  void redissonHasTwoCodecs() {
    assertEquals(List.of("string", "kryo5"), HashSchemes.elementCodecs("redisson"));
    assertEquals(Optional.of("string"), scheme("redisson").elementCodec());
    assertEquals(
        Optional.of("kryo5"),
        HashSchemes.named("redisson", Optional.of("kryo5")).orElseThrow().elementCodec());
    assertEquals(Optional.empty(), HashSchemes.named("redisson", Optional.of("json")));
    assertEquals(Optional.empty(), HashSchemes.named("redisson", Optional.empty()));
    assertEquals(Optional.empty(), HashSchemes.named("go-zero", Optional.of("string")));
    assertEquals(List.of(), HashSchemes.elementCodecs("go-zero"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "80",
        "c3",
        "c328",
        "c080",
        "e28028",
        "e282",
        "e08080",
        "eda080",
        "edbfbf",
        "f0808080",
        "f4908080",
        "f8888080",
        "ff",
        "61ff",
        "f09f98"
      })
  void schemesForTextRefuseOtherElements(String hex) {
    byte[] element = HexFormat.of().parseHex(hex);
    for (HashScheme scheme : HashSchemes.ALL.stream().filter(its -> !its.isNative()).toList()) {
      int k = scheme.id().equals("go-zero") ? 14 : 6;
      FilterShape shape = scheme.shapeOf(1024, k);
      long[] positions = new long[k];
      if (scheme.id().startsWith("scrapy") || scheme.elementCodec().equals(Optional.of("kryo5"))) {
        var refusal =
            assertThrows(
                UnsupportedElementException.class,
                () -> scheme.locate(element, shape, positions),
                scheme.id());
        assertFalse(refusal.getMessage().contains(hex));
      } else {
        scheme.locate(element, shape, positions);
      }
    }
  }

  private static HashScheme scheme(String id) {
    return HashSchemes.named(id).orElseThrow();
  }

  private static void assertSizingRefused(String id, long n, double p, String part) {
    var refusal = assertThrows(IllegalArgumentException.class, () -> scheme(id).shapeFor(n, p), id);
    assertTrue(refusal.getMessage().contains(part), refusal.getMessage());
  }

  private static void assertRefused(String id, long m, int k, String part) {
    var refusal = assertThrows(IllegalArgumentException.class, () -> scheme(id).shapeOf(m, k), id);
    assertTrue(refusal.getMessage().contains(part), refusal.getMessage());
  }

  @Test
  void everyIdNamesItsScheme() {
    for (String id : HashSchemes.ids()) {
      assertEquals(id, HashSchemes.named(id).orElseThrow().id());
    }
    assertSame(HashSchemes.nativeScheme(), HashSchemes.named("bloomgate-1").orElseThrow());
  }

  /** Filters store the ids of schemes. */
  @Test
  void idsAreFrozen() {
    assertEquals(
        List.of(
            "bloomgate-1",
            "bloomgate-1-keyed",
            "go-zero",
            "guava-mitz-32",
            "guava-mitz-64",
            "guava-redis-helper",
            "guava-redis-helper-once",
            "bits-and-blooms",
            "redisson",
            "scrapy-redis-bloomfilter",
            "redisbloom",
            "rueidisprob"),
        HashSchemes.ids());
  }

  @Test
  void otherNamesHaveNoScheme() {
    assertEquals(Optional.empty(), HashSchemes.named("bloomgate-2"));
    assertEquals(Optional.empty(), HashSchemes.named("Bloomgate-1"));
    assertEquals(Optional.empty(), HashSchemes.named(""));
  }
}
