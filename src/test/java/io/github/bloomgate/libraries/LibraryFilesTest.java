package io.github.bloomgate.libraries;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that Guava's {@code BloomFilter.writeTo} writes and {@code readFrom} reads, and files that
 * {@code WriteTo} of the Go library bits-and-blooms/bloom writes.
 */
@QuarkusTest
@Tag("slow")
class LibraryFilesTest {

  private static final Funnel<CharSequence> STRINGS = Funnels.stringFunnel(UTF_8);

  @Inject RawRedis redis;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  static Stream<GoldenFilter> goldenFilters() {
    return Stream.of("guava-mitz-32", "guava-mitz-64", "bits-and-blooms")
        .flatMap(id -> GoldenFilter.of(id).stream());
  }

  @ParameterizedTest
  @MethodSource("goldenFilters")
  void aFileOfTheLibraryIsReadAndWrittenByteForByte(GoldenFilter golden) {
    var name = Api.newName();
    var format = golden.scheme().startsWith("guava") ? "guava" : golden.scheme();
    FilterFiles.load(name, format, golden.bytes("nativeHex"))
        .statusCode(201)
        .body("hashScheme", equalTo(golden.scheme()))
        .body("bitSize", equalTo((int) golden.number("m")))
        .body("numHashFunctions", equalTo((int) golden.number("k")))
        .body("bitsSet", equalTo((int) golden.number("bitCount")));
    golden.assertAnswers(name);
    assertArrayEquals(golden.bytes("nativeHex"), FilterFiles.exported(name, format));
    golden.assertDigest("nativeSha256", FilterFiles.exported(name, format));
    golden.assertDigest("paddedSha256", FilterFiles.exported(name, "redis-bitmap"));
  }

  /** One or several blocks, with a full or partial last one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 54_697, 400_000})
  void guavaFilesSurviveARoundTrip(int n) throws IOException {
    var filter = BloomFilter.create(STRINGS, n, 0.01);
    var inside = IntStream.range(0, Math.min(n, 5000)).mapToObj(i -> "in " + random.nextLong());
    var elements = inside.toList();
    elements.forEach(filter::put);

    var name = FilterFiles.loaded("guava", written(filter));

    assertTrue(
        Elements.ofTexts(elements).testIn(name).stream().allMatch(found -> found), "seed " + seed);
    var others = IntStream.range(0, 2000).mapToObj(i -> "out " + i).toList();
    assertEquals(
        others.stream().map(filter::mightContain).toList(), Elements.ofTexts(others).testIn(name));
    assertEquals(filter, read(FilterFiles.exported(name, "guava")));
  }

  @Test
  void elementsAddedHereAreFoundByGuava() throws IOException {
    var filter = BloomFilter.create(STRINGS, 1000, 0.001);
    filter.put("before");
    var name = FilterFiles.loaded("guava", written(filter));
    Api.add(name, "after", "übermorgen");
    filter.put("after");
    filter.put("übermorgen");
    assertEquals(filter, read(FilterFiles.exported(name, "guava")));
  }

  /** An import replaces the shared bits. The exported file contains all later adds for Guava. */
  @Test
  void filesGoInAndOutOfASharedKey() throws IOException {
    var filter = BloomFilter.create(STRINGS, 1000, 0.01);
    filter.put("before");
    var adopted = AdoptedFilter.of(redis);
    adopted.created(Map.of("hashScheme", "guava-mitz-64", "expectedInsertions", 1000));
    adopted.add("replaced");
    FilterFiles.load(adopted.name(), "guava", written(filter)).statusCode(200);
    adopted.add("after");
    filter.put("after");
    assertEquals(filter, read(FilterFiles.exported(adopted.name(), "guava")));
    adopted.delete(true);
  }

  @Test
  void theNumberOfElementsIsEstimated() throws IOException {
    var filter = BloomFilter.create(STRINGS, 1000, 0.01);
    IntStream.range(0, 700).forEach(i -> filter.put("in " + i));
    var estimate = (int) filter.approximateElementCount();
    FilterFiles.load(Api.newName(), "guava", written(filter))
        .statusCode(201)
        .body("insertions", equalTo(estimate))
        .body("approximateElementCount", equalTo(estimate))
        .body("expectedInsertions", equalTo(950))
        .body("falsePositiveProbability", equalTo(0.0078125f));
    FilterFiles.load(
            Api.newName(),
            "guava&expectedInsertions=1000&falsePositiveProbability=0.01",
            written(filter))
        .statusCode(201)
        .body("expectedInsertions", equalTo(1000))
        .body("falsePositiveProbability", equalTo(0.01f));
  }

  @Test
  void aFilterWithoutAndOneWithAllBits() {
    var empty = new byte[6 + 16];
    System.arraycopy(new byte[] {1, 3, 0, 0, 0, 2}, 0, empty, 0, 6);
    var name = Api.newName();
    FilterFiles.load(name, "guava", empty).statusCode(201).body("insertions", equalTo(0));
    assertArrayEquals(empty, FilterFiles.exported(name, "guava"));

    var full = empty.clone();
    Arrays.fill(full, 6, full.length, (byte) -1);
    FilterFiles.load(name, "guava", full).statusCode(200).body("bitsSet", equalTo(128));
    assertArrayEquals(full, FilterFiles.exported(name, "guava"));
  }

  @ParameterizedTest
  @CsvSource({
    "2, 5, 1, CORRUPT_IMPORT, strategy",
    "255, 5, 1, CORRUPT_IMPORT, strategy",
    "1, 0, 1, CORRUPT_IMPORT, hash functions",
    "1, 5, 0, CORRUPT_IMPORT, 0 words",
    "1, 5, -1, CORRUPT_IMPORT, -1 words",
    "1, 5, 67108864, CORRUPT_IMPORT, cut off after 14 of the 536870918",
    "1, 5, 67108865, LIMIT_EXCEEDED, 4294967296",
    "1, 5, 2147483647, LIMIT_EXCEEDED, 4294967296"
  })
  void impossibleHeadersOfGuava(int strategy, int k, int words, String code, String problem) {
    var file = ByteBuffer.allocate(14).put((byte) strategy).put((byte) k).putInt(words);
    assertRefused("guava", file.array(), code, problem);
  }

  private static void assertRefused(String format, byte[] file, String code, String problem) {
    var name = Api.newName();
    Api.refused(422, code, FilterFiles.load(name, format, file))
        .body("detail", containsString(problem));
    Api.describe(name).statusCode(404);
  }

  @Test
  void otherSchemesHaveNoSuchFile() {
    var name = Api.newFilter();
    Api.refused(400, "INVALID_REQUEST", FilterFiles.export(name, "guava"))
        .body("detail", containsString("one of: bloomgate, redis-bitmap."));
    FilterFiles.export(name, "redisbloom").statusCode(400).body("detail", containsString("guava"));
    FilterFiles.export(name, "").statusCode(400);
    FilterFiles.load(name, "Guava", new byte[9]).statusCode(400);
  }

  @Test
  void parametersInTheFileMustNotBeGiven() {
    var file = GoldenFilter.of("guava-mitz-64", "tiny").bytes("nativeHex");
    for (var more : List.of("bitSize=64", "numHashFunctions=3", "hashScheme=guava-mitz-64")) {
      FilterFiles.load(Api.newName(), "guava&" + more, file)
          .statusCode(400)
          .body("detail", containsString(more.split("=")[0]));
    }
    FilterFiles.load(Api.newName(), "guava&expectedInsertions=5", file)
        .statusCode(400)
        .body("detail", containsString("falsePositiveProbability"));
  }

  private static byte[] written(BloomFilter<?> filter) throws IOException {
    var out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  private static BloomFilter<CharSequence> read(byte[] file) throws IOException {
    var in = new ByteArrayInputStream(file);
    var filter = BloomFilter.readFrom(in, STRINGS);
    assertEquals(0, in.available());
    return filter;
  }

  @Test
  void aFilterMadeHereIsWrittenAsBitsAndBloomsWouldWriteIt() {
    var golden = GoldenFilter.of("bits-and-blooms", "estimated");
    var name = Api.newFilter(golden.sizing());
    golden.elements("elements").addTo(name);
    assertArrayEquals(golden.bytes("nativeHex"), FilterFiles.exported(name, "bits-and-blooms"));
    FilterFiles.export(name, "bits-and-blooms")
        .header("Content-Disposition", "attachment; filename=\"" + name + ".bits-and-blooms\"");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 5, 0, CORRUPT_IMPORT, 0 bits",
    "-1, 5, -1, CORRUPT_IMPORT, 18446744073709551615 bits",
    "64, 0, 64, CORRUPT_IMPORT, 0 hash functions",
    "64, -1, 64, CORRUPT_IMPORT, hash functions",
    "64, 5, 128, CORRUPT_IMPORT, its bit set has 128 bits",
    "63, 5, 64, CORRUPT_IMPORT, its filter 63",
    "128, 5, 128, CORRUPT_IMPORT, cut off after 32 of the 40",
    "4294967296, 5, 4294967296, CORRUPT_IMPORT, cut off",
    "64, 256, 64, LIMIT_EXCEEDED, 255",
    "64, 4294967297, 64, LIMIT_EXCEEDED, 255",
    "4294967297, 5, 4294967297, LIMIT_EXCEEDED, 4294967296",
    "9223372036854775807, 5, 9223372036854775807, LIMIT_EXCEEDED, 4294967296"
  })
  void impossibleHeadersOfBitsAndBlooms(
      long bits, long k, long length, String code, String problem) {
    var file = ByteBuffer.allocate(32).putLong(bits).putLong(k).putLong(length);
    assertRefused("bits-and-blooms", file.array(), code, problem);
  }
}
