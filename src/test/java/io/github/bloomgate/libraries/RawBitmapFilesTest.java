package io.github.bloomgate.libraries;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Imports the bytes that {@code GET} returns for a library's bitmap, and exports them. */
@QuarkusTest
class RawBitmapFilesTest {

  private static final String FORMAT = "redis-bitmap";

  @Inject RawRedis redis;

  static Stream<GoldenFilter> goldenFilters() {
    return HashSchemes.ids().stream()
        .filter(id -> !id.startsWith("bloomgate-") && !id.equals("rueidisprob"))
        .flatMap(id -> GoldenFilter.of(id).stream())
        .filter(golden -> golden.node().has("bitmapHex"));
  }

  @ParameterizedTest
  @MethodSource("goldenFilters")
  void aBitmapOfALibraryIsReadAndWrittenByteForByte(GoldenFilter golden) {
    var name = Api.newName();
    FilterFiles.load(name, query(golden), golden.bytes("bitmapHex"))
        .statusCode(201)
        .body("bitSize", equalTo((int) golden.number("m")))
        .body("bitsSet", equalTo((int) golden.number("bitCount")));
    golden.assertAnswers(name);
    var exported = FilterFiles.exported(name, FORMAT);
    golden.assertPadded(exported);
    golden.assertBits(Arrays.copyOf(exported, (int) golden.number("redisStringLength")));
    FilterFiles.load(name, query(golden), exported).statusCode(200);
    golden.assertAnswers(name);
  }

  private static String query(GoldenFilter golden) {
    return FORMAT
        + "&hashScheme=%s&bitSize=%d&numHashFunctions=%d%s"
            .formatted(
                golden.scheme(),
                golden.number("m"),
                golden.number("k"),
                golden.isKryo() ? "&elementCodec=kryo5" : "");
  }

  @Test
  void theShapeMayBeGivenByNAndP() {
    var golden = GoldenFilter.of("redisson", "estimated");
    var name = Api.newName();
    FilterFiles.load(
            name,
            FORMAT + "&hashScheme=redisson&expectedInsertions=1000",
            golden.bytes("bitmapHex"))
        .statusCode(201)
        .body("expectedInsertions", equalTo(1000))
        .body("falsePositiveProbability", equalTo(0.01f))
        .body("elementCodec", equalTo("string"))
        .body("bitSize", equalTo(9585));
    golden.assertAnswers(name);
  }

  @Test
  void goZeroOnlyNeedsTheBits() {
    var golden = GoldenFilter.of("go-zero", "tiny");
    var name =
        FilterFiles.loaded(FORMAT + "&hashScheme=go-zero&bitSize=401", golden.bytes("bitmapHex"));
    golden.assertAnswers(name);
  }

  @ParameterizedTest
  @CsvSource({
    "'', hashScheme is missing",
    "&bitSize=64&numHashFunctions=3, hashScheme is missing",
    "&hashScheme=go-zero, size of the filter is missing",
    "&hashScheme=nothing&bitSize=64&numHashFunctions=3, hashScheme must be one of",
    "&hashScheme=redisson&bitSize=64, without numHashFunctions",
    "&hashScheme=redisson&bitSize=64&numHashFunctions=3&elementCodec=json, elementCodec",
    "&hashScheme=redisson&bitSize=64&numHashFunctions=3&expectedInsertions=3, only one of the pairs",
    "&hashScheme=redisson&bitSize=0&numHashFunctions=3, bitSize",
    "&hashScheme=redisson&bitSize=64&numHashFunctions=256, numHashFunctions",
    "&hashScheme=guava-mitz-64&expectedInsertions=1, Versions of the library differ",
    "&hashScheme=scrapy-redis-bloomfilter&bitSize=100, power of two",
    "&hashScheme=bloomgate-1&bitSize=16777280&numHashFunctions=3, 2 bitmaps",
    "&hashScheme=redisson&bitSize=64&numHashFunctions=3&whenFull=reject, parameter"
  })
  void parametersNotInABitmapMustBeGiven(String query, String problem) {
    var loaded = FilterFiles.load(Api.newName(), FORMAT + query, new byte[8]);
    Api.refused(400, "INVALID_REQUEST", loaded).body("detail", containsString(problem));
  }

  @Test
  void aBitmapOfAnotherFilterIsRefused() {
    var name = Api.newName();
    var query = FORMAT + "&hashScheme=redisson&bitSize=20&numHashFunctions=3";
    for (var refused :
        List.of(
            new byte[0],
            new byte[4],
            new byte[100_000],
            new byte[] {0, 0, 8},
            new byte[] {0, 0, -1})) {
      Api.refused(422, "CORRUPT_IMPORT", FilterFiles.load(name, query, refused));
      Api.describe(name).statusCode(404);
    }
    FilterFiles.load(name, query, new byte[] {1, 2, 16})
        .statusCode(201)
        .body("bitsSet", equalTo(3));
    assertArrayEquals(new byte[] {1, 2, 16}, FilterFiles.exported(name, FORMAT));
    FilterFiles.load(name, query, new byte[] {5}).statusCode(200).body("bitsSet", equalTo(2));
    assertArrayEquals(new byte[] {5, 0, 0}, FilterFiles.exported(name, FORMAT));
  }

  @Test
  void theBitmapOfANativeFilterOfOneSegment() {
    var name = Api.newFilter();
    Api.add(name, "a", "b");
    var copy =
        FilterFiles.loaded(
            FORMAT + "&hashScheme=bloomgate-1&expectedInsertions=1000",
            FilterFiles.exported(name, FORMAT));
    assertEquals(List.of(true, true, false), Elements.ofTexts("a", "b", "c").testIn(copy));
    FilterFiles.export(name, FORMAT)
        .header("Content-Disposition", "attachment; filename=\"" + name + ".bitmap\"");
  }

  @Test
  void aFilterOfSeveralSegmentsHasNoSingleBitmap() {
    var name = Api.newFilterOfTwoSegments();
    FilterFiles.export(name, FORMAT)
        .statusCode(400)
        .body("detail", containsString("2 segments"))
        .body("detail", containsString("one of: bloomgate."));
  }

  @Test
  void theBitmapOfAnAdoptedFilterMatchesItsKey() {
    var golden = GoldenFilter.of("go-zero", "tiny");
    var name = Api.newName();
    var key = "adopted:" + name;
    Api.put(name, Map.of("hashScheme", "go-zero", "bitSize", 401, "redisKey", key)).statusCode(201);
    redis.run("SETBIT", key, 7, 1);
    var exported = FilterFiles.exported(name, FORMAT);
    assertEquals(51, exported.length);
    assertEquals(1, exported[0]);

    FilterFiles.load(name, FORMAT + "&hashScheme=go-zero&bitSize=401", golden.bytes("bitmapHex"))
        .statusCode(200)
        .body("adopted", equalTo(true))
        .body("redisKey", equalTo(key));
    golden.assertAnswers(name);
    assertEquals(golden.number("bitCount"), redis.run("BITCOUNT", key).toLong());
    golden.assertDigest("paddedSha256", FilterFiles.exported(name, FORMAT));

    FilterFiles.load(name, FORMAT + "&hashScheme=go-zero&bitSize=402", new byte[9])
        .statusCode(400)
        .body("detail", containsString("cannot change"));
    golden.assertAnswers(name);
  }

  /** The file in the service's format contains the number of elements, from the bits. */
  @Test
  void elementsThatOthersAddedAreCountedInTheFileOfAnAdoptedFilter() {
    var golden = GoldenFilter.of("redisson", "estimated");
    var name = Api.newName();
    var key = "adopted:" + name;
    Api.put(name, Map.of("hashScheme", "redisson", "expectedInsertions", 1000, "redisKey", key))
        .statusCode(201);
    for (var bit = 0; bit < 9585; bit += 2) {
      redis.run("SETBIT", key, bit, 1);
    }
    var copy = Api.newName();
    var insertions =
        FilterFiles.load(copy, "bloomgate", FilterFiles.exported(name, "bloomgate"))
            .statusCode(201)
            .body("adopted", equalTo(false))
            .body("bitsSet", equalTo(4793))
            .extract()
            .jsonPath()
            .getInt("insertions");
    assertTrue(insertions > 900 && insertions < 1000, insertions + "");
    FilterFiles.load(name, "bloomgate", FilterFiles.exported(copy, "bloomgate")).statusCode(200);
    FilterFiles.load(name, query(golden), golden.bytes("bitmapHex")).statusCode(200);
    golden.assertAnswers(name);
  }

  @Test
  void aFileContainsTheCodec() {
    var parameters =
        Map.of("hashScheme", "redisson", "elementCodec", "kryo5", "expectedInsertions", 100);
    var name = Api.newFilter(parameters);
    Api.add(name, "a", "hello");
    var file = FilterFiles.exported(name, "bloomgate");
    assertTrue(
        new String(file, StandardCharsets.ISO_8859_1).contains("\"elementCodec\":\"kryo5\""));
    var copy = Api.newName();
    FilterFiles.load(copy, "bloomgate", file)
        .statusCode(201)
        .body("hashScheme", equalTo("redisson"))
        .body("elementCodec", equalTo("kryo5"));
    assertEquals(List.of(true, true, false), Elements.ofTexts("a", "hello", "c").testIn(copy));
  }
}
