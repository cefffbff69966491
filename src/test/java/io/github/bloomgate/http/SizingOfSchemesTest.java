package io.github.bloomgate.http;

import static io.github.bloomgate.http.SizingRequests.refused;
import static io.github.bloomgate.http.SizingRequests.solve;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The calculator for filters of libraries, with their own rules. */
@QuarkusTest
class SizingOfSchemesTest {

  @ParameterizedTest
  @CsvSource({
    // Bits truncated and not rounded to 64, as the library has them.
    "redisson, expectedInsertions=1000&falsePositiveProbability=0.01, 1000, 9585, 7",
    "guava-mitz-64, expectedInsertions=1000&falsePositiveProbability=0.01, 1000, 9600, 7",
    "redisson, bitSize=9601&numHashFunctions=7, 950, 9601, 7",
    "redisson, bitSize=9601&expectedInsertions=1000, 1000, 9601, 7",
    // Their numbers of hash functions are their own.
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
  void theAnswerSaysWhereTheSchemeMissesTheRate() {
    var n = "expectedInsertions=1000&falsePositiveProbability=0.001";
    assertNull(solve(n).getString("schemeWarning"));
    assertTrue(solve(n + "&hashScheme=redisson").getString("schemeWarning").contains("1000"));
  }

  /** With the most hash functions the rate of an ideal hash can be below the smallest double. */
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
  void aSchemeThatHasNoSuchFilterIsRefused(String scheme, String query, String why) {
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
  void librariesTakeHigherRatesThanTheNativeScheme(String p) {
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
}
