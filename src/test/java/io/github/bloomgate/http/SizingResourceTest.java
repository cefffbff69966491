package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.Sizing;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The calculator: derives n, p, m and k from any of them, for the native scheme or a library's, and
 * sizes growing, window and counting filters.
 */
@QuarkusTest
class SizingResourceTest {

  private static final String GROWING =
      "expectedInsertions=1000&falsePositiveProbability=0.01&whenFull=grow";

  @Test
  void everyFieldIsReturned() {
    var answer = solve("expectedInsertions=1000000&falsePositiveProbability=0.01");
    assertEquals(1_000_000, answer.getLong("expectedInsertions"));
    assertEquals(9_585_088, answer.getLong("bitSize"));
    assertEquals(7, answer.getInt("numHashFunctions"));
    assertEquals(1, answer.getInt("segments"));
    assertEquals(1_198_136, answer.getLong("sizeBytes"));
    assertEquals(9.585088, answer.getDouble("bitsPerElement"), 1e-6);
    assertEquals(0.01004, answer.getDouble("falsePositiveProbability"), 1e-5);
  }

  @ParameterizedTest
  @CsvSource({
    // n
    "expectedInsertions=1000, 1000, 9600, 7",
    // n, p
    "expectedInsertions=1000&falsePositiveProbability=0.01, 1000, 9600, 7",
    // n, p, k
    "expectedInsertions=1000&falsePositiveProbability=0.01&numHashFunctions=3, 1000, 12416, 3",
    // m, k
    "bitSize=9600&numHashFunctions=7, 950, 9600, 7",
    // m, n
    "bitSize=9600&expectedInsertions=1000, 1000, 9600, 7",
    // m, p
    "bitSize=9600&falsePositiveProbability=0.01, 1000, 9600, 7",
    // m, k, n
    "bitSize=9600&numHashFunctions=4&expectedInsertions=500, 500, 9600, 4",
    // m, k, p
    "bitSize=9600&numHashFunctions=4&falsePositiveProbability=0.01, 912, 9600, 4",
    // m, n, p: the fewest hash functions that keep the promise
    "bitSize=20000&expectedInsertions=1000&falsePositiveProbability=0.01, 1000, 20032, 2"
  })
  void missingParametersAreComputed(String query, long n, long m, int k) {
    var answer = solve(query);
    assertEquals(n, answer.getLong("expectedInsertions"));
    assertEquals(m, answer.getLong("bitSize"));
    assertEquals(k, answer.getInt("numHashFunctions"));
    var rate = Sizing.meanFalsePositiveProbability(n, m, k);
    assertEquals(rate, answer.getDouble("falsePositiveProbability"), rate * 0.01);
  }

  @ParameterizedTest
  @CsvSource({"1, 0.5", "10, 0.01", "1000, 0.001", "12345, 1e-6", "2000000, 0.01"})
  void aFilterIsCreatedAsSized(long n, double p) {
    var sized = solve("expectedInsertions=%d&falsePositiveProbability=%s".formatted(n, p));
    var name =
        Api.newFilter(
            "{\"expectedInsertions\": %d, \"falsePositiveProbability\": %s}".formatted(n, p));
    assertSameShape(sized, Api.fields(name));
    Api.delete(name).statusCode(204);
  }

  @ParameterizedTest
  @CsvSource({
    // A segment has whole words of 64 bits.
    "1, 1, 64, 1",
    "65, 4, 128, 1",
    "64, 255, 64, 1",
    "64, 12, 64, 1",
    "960, 7, 960, 1",
    "16777216, 4, 16777216, 1",
    "16777217, 64, 16777344, 2"
  })
  void aFilterOfGivenSizeIsCreatedAsSized(long m, int k, long rounded, int segments) {
    var sized = solve("bitSize=%d&numHashFunctions=%d".formatted(m, k));
    var name = Api.newFilter("{\"bitSize\": %d, \"numHashFunctions\": %d}".formatted(m, k));
    var created = Api.fields(name);
    assertEquals(rounded, created.getLong("bitSize"));
    assertEquals(segments, created.getInt("segments"));
    assertSameShape(sized, created);
    for (var field : List.of("expectedInsertions", "falsePositiveProbability")) {
      assertEquals(created.getString(field), sized.getString(field));
    }
    Api.delete(name).statusCode(204);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "expectedInsertions=1e999999999",
        "falsePositiveProbability=0",
        "falsePositiveProbability=1",
        "falsePositiveProbability=1e-13",
        "falsePositiveProbability=1e-999999999",
      })
  void aValueBeyondItsLimitsIsRefusedByName(String parameter) {
    var name = parameter.substring(0, parameter.indexOf('='));
    refused(parameter)
        .body("violations[0].in", equalTo("query"))
        .body("violations[0].field", equalTo(name));
  }

  @Test
  void valuesAtTheLimitsAreAccepted() {
    solve("expectedInsertions=1&falsePositiveProbability=0.5");
    solve("expectedInsertions=1&falsePositiveProbability=1e-12");
    solve("bitSize=1&numHashFunctions=1");
    solve("expectedInsertions=100000000000&bitSize=68719476736");
    assertEquals(4096, solve("bitSize=68719476736&numHashFunctions=64").getInt("segments"));
  }

  @Test
  void theRateFollowsFromTheRoundedSize() {
    var answer = solve("expectedInsertions=10&falsePositiveProbability=0.5");
    assertEquals(64, answer.getLong("bitSize"));
    assertTrue(answer.getDouble("falsePositiveProbability") < 0.2);
  }

  @Test
  void manyFunctionsOnSixtyFourBitsHaveAHighRate() {
    var name = Api.newFilter("{\"bitSize\": 64, \"numHashFunctions\": 255}");
    assertEquals(0.305, Api.fields(name).getDouble("falsePositiveProbability"), 0.001);
  }

  @ParameterizedTest
  @CsvSource({
    // The library truncates the bit size and does not round it to 64.
    "redisson, expectedInsertions=1000&falsePositiveProbability=0.01, 1000, 9585, 7",
    "guava-mitz-64, expectedInsertions=1000&falsePositiveProbability=0.01, 1000, 9600, 7",
    "redisson, bitSize=9601&numHashFunctions=7, 950, 9601, 7",
    "redisson, bitSize=9601&expectedInsertions=1000, 1000, 9601, 7",
    // These libraries have fixed numbers of hash functions.
    "go-zero, bitSize=20000, 990, 20000, 14",
    "go-zero, bitSize=20000&expectedInsertions=1000, 1000, 20000, 14",
    "go-zero, bitSize=20000&expectedInsertions=1000&falsePositiveProbability=0.001, 1000, 20000, 14",
    "scrapy-redis-bloomfilter, bitSize=1073741824, 124043519, 1073741824, 6"
  })
  void aSchemeIsSizedByItsOwnRules(String scheme, String query, long n, long m, int k) {
    var answer = solve("hashScheme=" + scheme + "&" + query);
    assertEquals(scheme, answer.getString("hashScheme"));
    assertEquals(n, answer.getLong("expectedInsertions"));
    assertEquals(m, answer.getLong("bitSize"));
    assertEquals(k, answer.getInt("numHashFunctions"));
    assertEquals(1, answer.getInt("segments"));
  }

  @Test
  void aWarningSaysIfTheSchemeMissesTheRate() {
    var n = "expectedInsertions=1000&falsePositiveProbability=0.001";
    assertNull(solve(n).getString("schemeWarning"));
    assertTrue(solve(n + "&hashScheme=redisson").getString("schemeWarning").contains("1000"));
  }

  /**
   * With the maximum of hash functions, the rate of an ideal hash can be below the smallest double.
   */
  @ParameterizedTest
  @CsvSource({
    "rueidisprob, 1, 'at least about 5.6E-17 instead of the requested 0'",
    "redisson, 1, 'at least about 4.3E-19 instead of the requested 0'",
    "scrapy-redis-bloomfilter, 1, 'about 1.0 times the requested 0'",
    "rueidisprob, 3000000, 'about 1.9E-10 instead of the requested 3.557E-134'"
  })
  void theWarningCanBeReadAtAnyRate(String scheme, long n, String comparison) {
    var query = "&bitSize=2147483648&numHashFunctions=255&expectedInsertions=" + n;
    var warning = solve("hashScheme=" + scheme + query).getString("schemeWarning");
    assertTrue(warning.contains(comparison), warning);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.75", "0.99"})
  void librariesAllowHigherRatesThanTheNativeScheme(String p) {
    var body = "{\"expectedInsertions\": 1000, \"falsePositiveProbability\": %s%s}";
    for (var scheme : List.of("redisson", "guava-mitz-64", "bits-and-blooms", "redisbloom")) {
      Api.put(Api.newName(), body.formatted(p, ", \"hashScheme\": \"" + scheme + "\""))
          .statusCode(201)
          .body("falsePositiveProbability", equalTo(Float.parseFloat(p)));
    }
    for (var scheme : List.of("bloomgate-1", "bloomgate-1-keyed")) {
      Api.put(Api.newName(), body.formatted(p, ", \"hashScheme\": \"" + scheme + "\""))
          .statusCode(400)
          .body("detail", containsString("at most 0.5"));
    }
    Api.put(Api.newName(), body.formatted("1", ", \"hashScheme\": \"redisson\"")).statusCode(400);
  }

  @Test
  void aFilterThatGrowsIsComparedWithAFixedOne() {
    var grown = solve(GROWING + "&growsTo=5000");
    assertEquals(1000, grown.getLong("expectedInsertions"));
    assertEquals(3, grown.getInt("growth.layers"));
    assertEquals(2, grown.getInt("growth.growthFactor"));
    assertEquals(5000, grown.getLong("growth.growsTo"));
    var fixed = solve("expectedInsertions=5000&falsePositiveProbability=0.01");
    assertEquals(fixed.getLong("sizeBytes"), grown.getLong("growth.fixedSizeBytes"));
    assertEquals(
        grown.getDouble("sizeBytes") / fixed.getDouble("sizeBytes"),
        grown.getDouble("growth.timesFixedSize"),
        1e-6);
    assertTrue(grown.getDouble("falsePositiveProbability") <= 0.01);

    assertEquals(1, solve(GROWING + "&growsTo=1000").getInt("growth.layers"));
    assertEquals(2, solve(GROWING + "&growsTo=1001").getInt("growth.layers"));
    assertEquals(5, solve(GROWING + "&growsTo=5000&growthFactor=1").getInt("growth.layers"));
    assertNull(fixed.get("growth"));
  }

  /** The computed values match the filter. */
  @Test
  void aFilterGrowsAsComputed() {
    var sized = solve(GROWING + "&growsTo=5000");
    var name =
        Api.newFilter(
            "{\"expectedInsertions\": 1000, \"falsePositiveProbability\": 0.01, \"whenFull\": \"grow\"}");
    var lines = IntStream.range(0, 5000).mapToObj(i -> "e" + i).collect(Collectors.joining("\n"));
    Api.lines("text/plain", lines).post(Api.FILTERS + name + "/add").then().statusCode(200);
    var described = Api.fields(name);
    assertEquals(sized.getInt("growth.layers"), described.getList("layers").size());
    assertSameShape(sized, described);
    Api.delete(name).statusCode(204);
  }

  @Test
  void theDefaultRateIsTheSameAsForANewFilter() {
    var sized = solve("expectedInsertions=1000&whenFull=grow&growsTo=1000");
    var name = Api.newFilter("{\"expectedInsertions\": 1000, \"whenFull\": \"grow\"}");
    assertSameShape(sized, Api.fields(name));
  }

  /** The response describes the filter that would be created. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // n, query, the same for a new filter, slices, rings
        "8000|&windowSeconds=86400|\"seconds\": 86400}|8|24",
        "8000|&windowSeconds=60&slices=64|\"seconds\": 60}, \"slices\": 64|64|128",
        "3000000|&windowSeconds=7&hashScheme=bloomgate-1-keyed|\"seconds\": 7}, \"hashScheme\": \"bloomgate-1-keyed\"|8|24",
        "1000|&windowInsertions=1000&slices=2|\"insertions\": 1000}, \"slices\": 2|2|3",
        "3000000|&windowInsertions=3000000|\"insertions\": 3000000}|8|9"
      })
  void aWindowIsSizedAsCreated(long n, String query, String window, int slices, int rings) {
    var size = "\"expectedInsertions\": %d, \"falsePositiveProbability\": 0.001".formatted(n);
    var sized = solve("expectedInsertions=%d&falsePositiveProbability=0.001%s".formatted(n, query));
    var name = Api.newFilter("{%s, \"window\": {%s}".formatted(size, window));
    var described = Api.fields(name);
    assertSameShape(sized, described);
    assertEquals(described.getMap("window"), sized.getMap("window.remembered"));
    assertEquals(slices, sized.getInt("window.slices"));
    assertEquals(rings, sized.getInt("window.rings"));
    assertTrue(sized.getDouble("falsePositiveProbability") <= 0.001 * 1.1);
    Api.delete(name).statusCode(204);

    var fixed = solve("expectedInsertions=%d&falsePositiveProbability=0.001".formatted(n));
    assertEquals(fixed.getLong("sizeBytes"), sized.getLong("window.fixedSizeBytes"));
    assertEquals(
        sized.getDouble("sizeBytes") / fixed.getDouble("sizeBytes"),
        sized.getDouble("window.timesFixedSize"),
        1e-6);
    assertNull(fixed.get("window"));
  }

  @Test
  void aWindowByInsertionsKeepsTheDefaultRate() {
    var sized = solve("windowInsertions=1000");
    assertEquals(1000, sized.getLong("expectedInsertions"));
    assertEquals(0.01, sized.getDouble("falsePositiveProbability"), 0.001);
  }

  @Test
  void aFilterThatCountsIsComparedWithAPlainOne() {
    var sized = solve("expectedInsertions=1000000&counting=true");
    assertEquals(9_585_216, sized.getInt("counting.counters"));
    assertEquals(4 * 9_585_216, sized.getInt("bitSize"));
    assertEquals(3, sized.getInt("segments"));
    assertEquals(1_198_136, sized.getInt("counting.fixedSizeBytes"));
    assertEquals(0.010038442, sized.getDouble("falsePositiveProbability"), 1e-8);
  }

  @ParameterizedTest
  @CsvSource({
    "'', too few parameters",
    "p=0.01, too few parameters",
    "bitSize=1000, too few parameters",
    "numHashFunctions=3, too few parameters",
    "n=1000&numHashFunctions=3, too few parameters",
    "p=0.01&numHashFunctions=3, too few parameters",
    "n=1000&p=0.01&bitSize=9600&numHashFunctions=7, nothing to compute",
    "n=1000&p=0.01&bitSize=1000, at least",
    "hashScheme=go-zero&n=1000&p=0.01, bitSize",
    "hashScheme=go-zero&bitSize=9000&n=1000&p=0.01, larger bitSize",
    "hashScheme=scrapy-redis-bloomfilter&bitSize=1000&numHashFunctions=6, power of two",
    "hashScheme=rueidisprob&n=1000&p=0.9, lower falsePositive",
    "hashScheme=theirs&bitSize=1000&numHashFunctions=6, hashScheme",
    "n=1000&p=0.01&whenFull=grow, growsTo is missing",
    "n=1000&whenFull=grow&growsTo=2000&bitSize=9600, bitSize cannot be used with whenFull=grow",
    "n=1000&whenFull=grow&growsTo=2000&numHashFunctions=3, numHashFunctions",
    "n=1000&whenFull=grow&growsTo=2000&hashScheme=redisson, redisson",
    "n=1000&p=0.8&whenFull=grow&growsTo=2000, falsePositiveProbability is 0.8",
    "n=1000&p=0.8&whenFull=grow&growsTo=2000, at most 0.5",
    "p=0.01&whenFull=grow&growsTo=1000, expectedInsertions is missing",
    "n=1000&p=0.01&growsTo=2000, growsTo",
    "n=1000&p=0.01&growthFactor=3, growthFactor",
    "n=1000&p=0.01&whenFull=reject&growsTo=5, growsTo",
    "n=60&slices=4, windowSeconds",
    "n=60&windowSeconds=60&windowInsertions=60, either windowSeconds",
    "windowInsertions=7, insertions of at least 8",
    "windowInsertions=100&growsTo=200, growsTo",
    "windowInsertions=100&p=0.9, at most 0.5",
    "n=1000000&counting=true&whenFull=grow&growsTo=10000000, counting",
    "n=1000000&counting=true&bitSize=9, counting"
  })
  void impossibleParametersAreRefused(String query, String reported) {
    refused(inFull(query)).body("detail", containsString(reported));
  }

  @ParameterizedTest
  @CsvSource({
    "n=100000000000&p=0.01, 'would have 958508591616 bits'",
    "hashScheme=redisson&bitSize=4294967295&numHashFunctions=3, the limit is 4294967294",
    "windowInsertions=10000000000, 'would have 160216300800 bits'",
    "n=1000&p=0.01&whenFull=grow&growsTo=100000&growthFactor=1, 'full with 32000 elements, in 32 layers'"
  })
  void aTooLargeFilterIsRefused(String query, String reason) {
    Api.refused(422, "LIMIT_EXCEEDED", given().get("/v1/sizing?" + inFull(query)).then())
        .body("detail", containsString(reason));
  }

  private static String inFull(String query) {
    return query
        .replaceAll("\\bn=", "expectedInsertions=")
        .replaceAll("\\bp=", "falsePositiveProbability=");
  }

  private static void assertSameShape(JsonPath sized, JsonPath created) {
    assertEquals(created.getLong("bitSize"), sized.getLong("bitSize"));
    assertEquals(created.getInt("numHashFunctions"), sized.getInt("numHashFunctions"));
    assertEquals(created.getInt("segments"), sized.getInt("segments"));
    assertEquals(created.getLong("sizeBytes"), sized.getLong("sizeBytes"));
  }

  private static JsonPath solve(String query) {
    return given().get("/v1/sizing?" + query).then().statusCode(200).extract().jsonPath();
  }

  private static ValidatableResponse refused(String query) {
    var path = query.isEmpty() ? "/v1/sizing" : "/v1/sizing?" + query;
    return Api.refused(400, "INVALID_REQUEST", Api.raw().get(path).then());
  }
}
