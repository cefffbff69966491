package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.Sizing;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The calculator: derives n, p, m and k from any of them, for the native scheme or a library's. */
@QuarkusTest
class SizingResourceTest {

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
        "",
        "falsePositiveProbability=0.01",
        "bitSize=1000",
        "numHashFunctions=3",
        "expectedInsertions=1000&numHashFunctions=3",
        "falsePositiveProbability=0.01&numHashFunctions=3",
        "expectedInsertions=1000&falsePositiveProbability=0.01&bitSize=9600&numHashFunctions=7"
      })
  void tooLittleAndTooMuchAreRefused(String query) {
    refused(query).body("detail", containsString("nothing to compute, or too much"));
  }

  @Test
  void unreachableRatesAreRefused() {
    refused("expectedInsertions=1000&falsePositiveProbability=0.01&bitSize=1000")
        .body("detail", containsString("at least"));
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
  void aTooLargeFilterIsRefused() {
    Api.refused(
        422,
        "LIMIT_EXCEEDED",
        given()
            .get("/v1/sizing?expectedInsertions=100000000000&falsePositiveProbability=0.01")
            .then());
  }

  @Test
  void theRateFollowsFromTheRoundedSize() {
    var answer = solve("expectedInsertions=10&falsePositiveProbability=0.5");
    assertEquals(64, answer.getLong("bitSize"));
    assertTrue(answer.getDouble("falsePositiveProbability") < 0.2);
    given()
        .get("/v1/sizing?expectedInsertions=10&falsePositiveProbability=0.5")
        .then()
        .body("$", hasKey("bitsPerElement"));
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
  @CsvSource({
    "go-zero, expectedInsertions=1000&falsePositiveProbability=0.01, bitSize",
    "go-zero, bitSize=9000&expectedInsertions=1000&falsePositiveProbability=0.01, larger bitSize",
    "scrapy-redis-bloomfilter, bitSize=1000&numHashFunctions=6, power of two",
    "rueidisprob, expectedInsertions=1000&falsePositiveProbability=0.9, lower falsePositive",
    "theirs, bitSize=1000&numHashFunctions=6, hashScheme",
  })
  void aSchemeWithoutSuchAFilterIsRefused(String scheme, String query, String why) {
    refused("hashScheme=" + scheme + "&" + query).body("detail", containsString(why));
  }

  @Test
  void aSchemeHasLimits() {
    Api.refused(
        422,
        "LIMIT_EXCEEDED",
        given().get("/v1/sizing?hashScheme=redisson&bitSize=4294967295&numHashFunctions=3").then());
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

  static void assertSameShape(JsonPath sized, JsonPath created) {
    assertEquals(created.getLong("bitSize"), sized.getLong("bitSize"));
    assertEquals(created.getInt("numHashFunctions"), sized.getInt("numHashFunctions"));
    assertEquals(created.getInt("segments"), sized.getInt("segments"));
    assertEquals(created.getLong("sizeBytes"), sized.getLong("sizeBytes"));
  }

  static JsonPath solve(String query) {
    return given().get("/v1/sizing?" + query).then().statusCode(200).extract().jsonPath();
  }

  static ValidatableResponse refused(String query) {
    return Api.raw()
        .get("/v1/sizing" + (query.isEmpty() ? "" : "?" + query))
        .then()
        .statusCode(400)
        .contentType("application/problem+json")
        .body("code", equalTo("INVALID_REQUEST"));
  }
}
