package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.config.JsonConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.path.json.config.JsonPathConfig.NumberReturnType;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Creating, describing and probing filters. */
@QuarkusTest
class FilterResourceTest extends FilterAndKeys {

  private static final RestAssuredConfig DOUBLES =
      RestAssuredConfig.config()
          .jsonConfig(JsonConfig.jsonConfig().numberReturnType(NumberReturnType.DOUBLE));

  @ParameterizedTest
  @ValueSource(strings = {"1000", "1000.0", "1e3", "1.0E+3", "10000e-1"})
  void anIntegerMayBeWrittenInEveryWayOfJson(String thousand) {
    Api.describe(Api.newFilter("{\"expectedInsertions\": %s}".formatted(thousand)))
        .body("expectedInsertions", equalTo(1000));
    given()
        .urlEncodingEnabled(false)
        .get(
            "/v1/sizing?falsePositiveProbability=0.01&expectedInsertions="
                + thousand.replace("+", "%2B"))
        .then()
        .statusCode(200)
        .body("expectedInsertions", equalTo(1000));
  }

  @Test
  void everyFieldOfANewFilterIsDescribed() {
    var before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    var name = Api.newFilter();
    Map<String, Object> description =
        given()
            .config(DOUBLES)
            .get(Api.FILTERS + name)
            .then()
            .statusCode(200)
            .contentType("application/json")
            .extract()
            .jsonPath()
            .getMap("$");
    var createdAt = Instant.parse(description.remove("createdAt").toString());
    assertFalse(createdAt.isBefore(before), "createdAt " + createdAt);
    assertFalse(createdAt.isAfter(Instant.now()), "createdAt " + createdAt);
    var expected = new HashMap<String, Object>();
    expected.put("name", name);
    expected.put("state", "ready");
    expected.put("hashScheme", "bloomgate-1");
    expected.put("elementCodec", null);
    expected.put("hashSecretId", null);
    expected.put("schemeWarning", null);
    expected.put("adopted", false);
    expected.put("expectedInsertions", 1000);
    expected.put("falsePositiveProbability", 0.01);
    expected.put("bitSize", 9600);
    expected.put("numHashFunctions", 7);
    expected.put("segments", 1);
    expected.put("sizeBytes", 1200);
    expected.put("whenFull", "accept");
    expected.put("insertions", 0);
    expected.put("bitsSet", 0);
    expected.put("fillRatio", 0.0);
    expected.put("approximateElementCount", 0);
    expected.put("estimatedFalsePositiveProbability", 0.0);
    expected.put("generation", 1);
    expected.put("expiresAt", null);
    expected.put(
        "redisKey",
        "bloom:{" + name + "}:" + redis.run("HGET", "bloom:{" + name + "}", "incarnation") + ":0");
    expected.put("rebuild", null);
    expected.put("source", null);
    assertEquals(expected, description);
  }

  @Test
  void aCreatedFilterIsDescribedAsItIsStored() {
    var name = Api.newName();
    var created =
        Api.put(name, "{\"expectedInsertions\": 1000}")
            .statusCode(201)
            .header("Location", endsWith("/v1/filters/" + name))
            .extract()
            .jsonPath()
            .getMap("$");
    assertEquals(Api.fields(name).getMap("$"), created);
  }

  @Test
  void theDescriptionFollowsTheContent() {
    var name = Api.newFilter();
    Api.add(name, "one").statusCode(200);
    Api.describe(name)
        .body("insertions", equalTo(1))
        .body("bitsSet", lessThanOrEqualTo(7))
        .body("bitsSet", greaterThan(0))
        .body("approximateElementCount", equalTo(1));
    var bits = Api.fields(name).getInt("bitsSet");
    given()
        .config(DOUBLES)
        .get(Api.FILTERS + name)
        .then()
        .body("fillRatio", closeTo(bits / 9600.0, 1e-12))
        .body("estimatedFalsePositiveProbability", closeTo(Math.pow(bits / 9600.0, 7), 1e-30));
  }

  @Test
  void aSaturatedFilterHasNoElementCount() {
    var name = Api.newFilter("{\"bitSize\": 64, \"numHashFunctions\": 64}");
    Api.add(name, IntStream.range(0, 100).mapToObj(Integer::toString).toArray(String[]::new));
    Api.describe(name)
        .body("bitsSet", equalTo(64))
        .body("approximateElementCount", nullValue())
        .body("estimatedFalsePositiveProbability", equalTo(1.0f));
  }

  @Test
  void creatingAgainWithTheSameParametersFindsTheFilter() {
    var name = Api.newFilter();
    Api.add(name, "kept").statusCode(200);
    Api.put(
            name,
            Map.of(
                "expectedInsertions",
                1000,
                "falsePositiveProbability",
                0.01,
                "hashScheme",
                "bloomgate-1",
                "whenFull",
                "accept"))
        .statusCode(200)
        .header("Location", nullValue())
        .body("insertions", equalTo(1));
  }

  @Test
  void otherParametersAreAConflictThatNamesEachDifference() {
    var name = Api.newFilter();
    var before = Api.description(name);
    Api.refused(
            409,
            "FILTER_EXISTS",
            Api.put(
                name,
                Map.of(
                    "expectedInsertions",
                    2000,
                    "falsePositiveProbability",
                    0.001,
                    "whenFull",
                    "reject")))
        .body(
            "differences.field",
            equalTo(
                List.of(
                    "expectedInsertions",
                    "falsePositiveProbability",
                    "bitSize",
                    "numHashFunctions",
                    "whenFull")))
        .body("differences[0].existing", equalTo(1000))
        .body("differences[0].requested", equalTo(2000))
        .body("differences[4].existing", equalTo("accept"))
        .body("differences[4].requested", equalTo("reject"));
    assertEquals(before, Api.description(name));
  }

  @Test
  void anExistingFilterIsProbedWithoutABody() {
    var name = Api.newFilter();
    given().head(Api.FILTERS + name).then().statusCode(200).body(emptyString());
    given().head(Api.FILTERS + Api.newName()).then().statusCode(404).body(emptyString());
  }

  @Test
  void aDamagedFilterIsProbedAsDamaged() {
    var name = Api.newFilter();
    Api.add(name, "one").statusCode(200);
    redis.run("DEL", Api.fields(name).getString("redisKey"));
    given().head(Api.FILTERS + name).then().statusCode(410).body(emptyString());
  }
}
