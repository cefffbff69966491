package io.github.bloomgate.libraries;

import static org.hamcrest.Matchers.containsString;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import jakarta.inject.Inject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The golden file of each library with a plain bitmap, over HTTP and in Redis. */
@QuarkusTest
class LibraryFiltersTest {

  private static final String GO_ZERO = "go-zero";
  private static final String SCRAPY = "scrapy-redis-bloomfilter";

  @Inject RawRedis redis;

  @ParameterizedTest
  @ValueSource(strings = {GO_ZERO, SCRAPY})
  void aGoldenFileHolds(String scheme) {
    new VectorFilters(scheme, redis).checkAll();
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("otherSchemes")
  void aLargerGoldenFileHolds(String scheme) {
    aGoldenFileHolds(scheme);
  }

  /** Filters of rueidisprob also have a counter, so they have their own tests. */
  static Stream<String> otherSchemes() {
    return HashSchemes.ids().stream()
        .filter(id -> HashSchemes.named(id).orElseThrow().isAdoptable())
        .filter(id -> !List.of(GO_ZERO, SCRAPY, "rueidisprob").contains(id));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          bits-and-blooms          | {"bitSize": 1000}
          go-zero                  | {"bitSize": 1000, "numHashFunctions": 13}
          go-zero                  | {"bitSize": 0}
          go-zero                  | {"bitSize": 1000, "elementCodec": "kryo5"}
          go-zero                  | {"expectedInsertions": 1000, "falsePositiveProbability": 0.01}
          guava-mitz-32            | {"bitSize": 1024}
          guava-mitz-64            | {"bitSize": 1024}
          redisson                 | {"bitSize": 4294967295, "numHashFunctions": 5}
          redisson                 | {"bitSize": 64, "numHashFunctions": 5, "elementCodec": "x"}
          scrapy-redis-bloomfilter | {"bitSize": 1000, "numHashFunctions": 6}
          scrapy-redis-bloomfilter | {"expectedInsertions": 1000, "falsePositiveProbability": 0.01}
          """)
  void aShapeTheLibraryDoesNotSupportIsRefused(String scheme, String parameters) {
    var all = new HashMap<>(JsonPath.from(parameters).<String, Object>getMap("$"));
    all.put("hashScheme", scheme);
    new VectorFilters(scheme, redis).assertRefused(all);
  }

  @ParameterizedTest
  @CsvSource({"go-zero, 1001, 14", "scrapy-redis-bloomfilter, 4096, 6"})
  void numHashFunctionsMayBeLeftOut(String scheme, int bits, int numHashFunctions) {
    var adopted = AdoptedFilter.of(redis);
    var description = adopted.created(Map.of("hashScheme", scheme, "bitSize", bits));
    assertEquals(numHashFunctions, description.path("numHashFunctions").asInt());
    assertEquals(bits, description.path("bitSize").asInt());
    adopted.delete(true);
  }

  @Test
  void nonTextElementsAreRefusedAndChangeNothing() {
    var adopted = AdoptedFilter.of(redis);
    adopted.created(Map.of("hashScheme", SCRAPY, "bitSize", 1 << 12));
    for (var operation : List.of("add", "test")) {
      Api.refused(
              400,
              "INVALID_REQUEST",
              Api.post(adopted.name(), operation, new Elements("hex", List.of("61", "ff"))))
          .body("detail", containsString("index 1 is not valid UTF-8"));
    }
    assertEquals(0, adopted.describe().path("bitsSet").asInt());
    adopted.delete(true);
  }
}
