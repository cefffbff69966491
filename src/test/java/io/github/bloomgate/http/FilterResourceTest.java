package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.config.JsonConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.path.json.config.JsonPathConfig.NumberReturnType;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters as wholes: created, described, listed, dated, emptied, renamed, deleted. */
@QuarkusTest
class FilterResourceTest {

  private static final RestAssuredConfig DOUBLES =
      RestAssuredConfig.config()
          .jsonConfig(JsonConfig.jsonConfig().numberReturnType(NumberReturnType.DOUBLE));

  @Inject RawRedis redis;

  @Test
  void aFilterIsCreatedByElementsAndRate() {
    var name = Api.newName();
    Api.put(name, Map.of("expectedInsertions", 1000, "falsePositiveProbability", 0.001))
        .then()
        .statusCode(201)
        .header("Location", endsWith("/v1/filters/" + name))
        .body("name", equalTo(name))
        .body("bitSize", equalTo(14_400))
        .body("numHashFunctions", equalTo(10));
  }

  @Test
  void theLocationOfANewFilterLeadsToIt() {
    var name = "a:b@c~" + Api.newName();
    var location =
        Api.put(name, "{\"expectedInsertions\": 10}")
            .then()
            .statusCode(201)
            .extract()
            .header("Location");
    given().get(location).then().statusCode(200).body("name", equalTo(name));
  }

  @Test
  void theRateDefaultsToOnePercent() {
    var name = Api.newFilter("{\"expectedInsertions\": 1000}");
    given()
        .config(DOUBLES)
        .get(Api.FILTERS + name)
        .then()
        .body("falsePositiveProbability", equalTo(0.01));
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
    expected.put("segmentsReady", 1);
    expected.put("sizeBytes", 1200);
    expected.put("whenFull", "accept");
    expected.put("insertions", 0);
    expected.put("bitsSet", 0);
    expected.put("fillRatio", 0.0);
    expected.put("approximateElementCount", 0);
    expected.put("estimatedFalsePositiveProbability", 0.0);
    expected.put("generation", 1);
    expected.put("expiresAt", null);
    expected.put("redisKey", "bloom:{" + name + "}:bits");
    expected.put("rebuild", null);
    expected.put("source", null);
    assertEquals(expected, description);
  }

  @Test
  void theDescriptionFollowsTheContent() {
    var name = Api.newFilter();
    Api.add(name, "one").statusCode(200);
    Api.describe(name)
        .then()
        .body("insertions", equalTo(1))
        .body("bitsSet", lessThanOrEqualTo(7))
        .body("bitsSet", greaterThan(0))
        .body("approximateElementCount", equalTo(1));
    var bits = Api.describe(name).jsonPath().getInt("bitsSet");
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
        .then()
        .body("bitsSet", equalTo(64))
        .body("approximateElementCount", nullValue())
        .body("estimatedFalsePositiveProbability", equalTo(1.0f));
  }

  @ParameterizedTest
  @MethodSource
  void anExplicitSizeIsRoundedUpToWords(long bitSize, int segments, long rounded) {
    var name = Api.newName();
    Api.put(name, Map.of("bitSize", bitSize, "numHashFunctions", 4))
        .then()
        .statusCode(201)
        .body("bitSize", equalTo((int) rounded))
        .body("segments", equalTo(segments))
        .body("segmentsReady", equalTo(segments))
        .body("state", equalTo("ready"))
        .body("numHashFunctions", equalTo(4))
        .body("falsePositiveProbability", equalTo(0.0625f));
    given().delete(Api.FILTERS + name).then().statusCode(204);
  }

  static Stream<Arguments> anExplicitSizeIsRoundedUpToWords() {
    return Stream.of(
        Arguments.of(1, 1, 64),
        Arguments.of(64, 1, 64),
        Arguments.of(65, 1, 128),
        Arguments.of(1L << 24, 1, 1L << 24),
        Arguments.of((1L << 24) + 1, 2, (1L << 24) + 128));
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
        .then()
        .statusCode(200)
        .header("Location", nullValue())
        .body("insertions", equalTo(1));
  }

  @Test
  void theDeadlineOfAFilterThatExistsIsLeftAsItIs() {
    var name = Api.newFilter();
    Api.put(name, "{\"expectedInsertions\": 1000, \"ttlSeconds\": 60}")
        .then()
        .statusCode(200)
        .body("expiresAt", nullValue());
  }

  @Test
  void otherParametersAreAConflictThatNamesEachDifference() {
    var name = Api.newFilter();
    var before = Api.description(name);
    Api.put(
            name,
            Map.of(
                "expectedInsertions",
                2000,
                "falsePositiveProbability",
                0.001,
                "whenFull",
                "reject"))
        .then()
        .statusCode(409)
        .body("code", equalTo("FILTER_EXISTS"))
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
  void aTimeToLiveIsSetWithTheFilter() {
    var before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    var name = Api.newFilter("{\"expectedInsertions\": 10, \"ttlSeconds\": 100}");
    var expiresAt = Instant.parse(Api.describe(name).jsonPath().getString("expiresAt"));
    assertFalse(expiresAt.isBefore(before.plusSeconds(100)), "expiresAt " + expiresAt);
    assertFalse(expiresAt.isAfter(Instant.now().plusSeconds(100)), "expiresAt " + expiresAt);
    assertDeadline(expiresAt, stateAndBits(name));
  }

  @Test
  void aDeadlineIsSetWithTheFilterToTheMillisecond() {
    var deadline = Instant.now().plusSeconds(3600).truncatedTo(ChronoUnit.MICROS).plusNanos(999);
    var name =
        Api.newFilter("{\"expectedInsertions\": 10, \"expiresAt\": \"%s\"}".formatted(deadline));
    var stored = deadline.truncatedTo(ChronoUnit.MILLIS);
    assertEquals(stored, Instant.parse(Api.describe(name).jsonPath().getString("expiresAt")));
    assertDeadline(stored, stateAndBits(name));
  }

  @Test
  void aFilterVanishesAtItsDeadline() {
    var name = Api.newFilter();
    Api.add(name, "gone soon").statusCode(200);
    letExpire(name);
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> Api.describe(name).statusCode() == 404);
    Api.test(name, "gone soon").statusCode(404).body("code", equalTo("FILTER_NOT_FOUND"));
    Api.put(name, "{\"expectedInsertions\": 20}").then().statusCode(201);
  }

  @Test
  void aFilterThatIsThereIsProbedWithoutABody() {
    var name = Api.newFilter();
    given().head(Api.FILTERS + name).then().statusCode(200).body(emptyString());
    given().head(Api.FILTERS + Api.newName()).then().statusCode(404).body(emptyString());
  }

  @Test
  void aDamagedFilterIsProbedAsDamaged() {
    var name = Api.newFilter();
    redis.run("DEL", "bloom:{" + name + "}:bits");
    given().head(Api.FILTERS + name).then().statusCode(410).body(emptyString());
  }

  @Test
  void aDeletedFilterIsGoneWithAllItsKeys() {
    for (var name : List.of(Api.newFilter(), Api.newFilterOfTwoSegments())) {
      var keys = keysOf(name);
      assertTrue(keys.size() >= 2, "keys " + keys);
      given().delete(Api.FILTERS + name).then().statusCode(204).body(emptyString());
      Api.describe(name).then().statusCode(404).body("code", equalTo("FILTER_NOT_FOUND"));
      given().delete(Api.FILTERS + name).then().statusCode(404);
      Api.add(name, "a").statusCode(404);
      assertEquals(List.of(), keysOf(name));
      keys.forEach(this::assertFreed);
    }
  }

  /**
   * A later segment leaves a small mark for a minute, so that nobody who is late makes it again.
   */
  private void assertFreed(String key) {
    if (redis.run("EXISTS", key).toInteger() != 0) {
      assertTrue(key.endsWith("/1}:state"), key);
      assertEquals("freed", redis.run("HGET", key, "generation").toString(), key);
      var left = redis.run("PTTL", key).toLong();
      assertTrue(left > 0 && left <= 60_000, key + " lives for " + left + " ms");
    }
  }

  @Test
  void aDamagedFilterCanBeDeletedAndCreatedAgain() {
    var name = Api.newFilter();
    redis.run("DEL", "bloom:{" + name + "}:state");
    given().delete(Api.FILTERS + name).then().statusCode(204);
    Api.put(name, "{\"expectedInsertions\": 5}").then().statusCode(201);
  }

  @Test
  void filtersAreListedInPagesInTheOrderOfTheirNames() {
    var prefix = Api.newName();
    var names = IntStream.range(0, 7).mapToObj(i -> prefix + "." + i).toList();
    for (var i : List.of(3, 0, 6, 5, 1, 4, 2)) {
      Api.put(names.get(i), "{\"expectedInsertions\": 10}").then().statusCode(201);
    }
    var seen = new ArrayList<String>();
    String cursor = null;
    var pages = 0;
    do {
      var request = given().queryParam("prefix", prefix).queryParam("limit", 3);
      if (cursor != null) {
        request.queryParam("cursor", cursor);
      }
      var page = request.get("/v1/filters").then().statusCode(200).extract().jsonPath();
      seen.addAll(page.getList("filters.name", String.class));
      cursor = page.getString("nextCursor");
      pages++;
    } while (cursor != null);
    assertEquals(names, seen);
    assertEquals(3, pages);
  }

  @Test
  void aListOfNoFiltersIsEmpty() {
    given()
        .queryParam("prefix", Api.newName())
        .get("/v1/filters")
        .then()
        .statusCode(200)
        .body("filters", hasSize(0))
        .body("nextCursor", nullValue());
  }

  @Test
  void aPrefixMatchesTheWholeNameToo() {
    var name = Api.newFilter();
    list(name).body("filters.name", equalTo(List.of(name)));
    list(name + "x").body("filters", hasSize(0));
  }

  @Test
  void aListTellsOnRequestHowItsFiltersAre() {
    var prefix = Api.newName();
    var full = prefix + ".full";
    var key = prefix + ".key";
    Api.put(full, "{\"expectedInsertions\": 10, \"whenFull\": \"reject\"}").then().statusCode(201);
    Api.add(full, "a", "b", "c").statusCode(200);
    Api.post(full, "rebuild", "{}").then().statusCode(201);
    Api.put(key, Map.of("hashScheme", "go-zero", "bitSize", 64, "redisKey", key))
        .then()
        .statusCode(201);
    list(prefix).body("filters[0]", not(hasKey("figures")));
    Awaitility.await()
        .untilAsserted(
            () ->
                given()
                    .queryParam("prefix", prefix)
                    .queryParam("figures", true)
                    .get("/v1/filters")
                    .then()
                    .statusCode(200)
                    .body("filters[0].figures.insertions", equalTo(3))
                    .body("filters[0].figures.approximateElementCount", equalTo(3))
                    .body("filters[0].figures.fillRatio", greaterThan(0.1f))
                    .body("filters[0].figures.estimatedFalsePositiveProbability", greaterThan(0.0f))
                    .body("filters[0].figures.whenFull", equalTo("reject"))
                    .body("filters[0].figures.rebuilding", equalTo(true))
                    .body("filters[0].figures.rebuildProgress", equalTo(0.0f))
                    .body("filters[0].figures.source", nullValue())
                    .body("filters[1].figures.fillRatio", nullValue())
                    .body("filters[1].figures.rebuilding", equalTo(false)));
    given().get("/v1/filters?figures=yes").then().statusCode(400);
    given().delete(Api.FILTERS + key + "?deleteKey=true").then().statusCode(204);
  }

  @Test
  void aListedFilterShowsWhatItWasCreatedWith() {
    var name = Api.newFilter("{\"expectedInsertions\": 1000, \"ttlSeconds\": 1000}");
    var described = Api.describe(name).jsonPath();
    list(name)
        .body("filters[0].state", equalTo("ready"))
        .body("filters[0].hashScheme", equalTo("bloomgate-1"))
        .body("filters[0].expectedInsertions", equalTo(1000))
        .body("filters[0].falsePositiveProbability", equalTo(0.01f))
        .body("filters[0].sizeBytes", equalTo(1200))
        .body("filters[0].createdAt", equalTo(described.getString("createdAt")))
        .body("filters[0].expiresAt", equalTo(described.getString("expiresAt")));
  }

  @Test
  void aDamagedFilterIsListedAsDamaged() {
    var name = Api.newFilter();
    redis.run("DEL", "bloom:{" + name + "}:bits");
    list(name)
        .body("filters.name", equalTo(List.of(name)))
        .body("filters[0].state", equalTo("damaged"))
        .body("filters[0].sizeBytes", nullValue());
  }

  @Test
  void aFilterUnderAForeignKeyIsListedAsDamaged() {
    var name = Api.newFilter();
    redis.run("SET", "bloom:{" + name + "}:state", "foreign");
    list(name).body("filters[0].state", equalTo("damaged"));
  }

  @Test
  void anExpiredFilterLeavesTheListWhenItIsNoticed() {
    var name = Api.newFilter();
    letExpire(name);
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> redis.run("EXISTS", "bloom:{" + name + "}:state").toInteger() == 0);
    list(name).body("filters", hasSize(0));
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> redis.run("ZSCORE", "bloom:catalogue", name) == null);
  }

  @Test
  void aDeadlineIsSetOnEveryKeyAndTakenAwayAgain() {
    for (var name : List.of(Api.newFilter(), Api.newFilterOfTwoSegments())) {
      Api.add(name, "kept").statusCode(200);
      var deadline = Instant.now().plusSeconds(5000).truncatedTo(ChronoUnit.MILLIS);
      Api.json(Map.of("expiresAt", deadline.toString()))
          .put(Api.FILTERS + name + "/expiry")
          .then()
          .statusCode(200)
          .body("expiresAt", equalTo(deadline.toString()));
      assertDeadline(deadline, keysOf(name));

      var later = deadline.plusSeconds(1000);
      Api.json(Map.of("expiresAt", later.toString()))
          .put(Api.FILTERS + name + "/expiry")
          .then()
          .statusCode(200);
      assertDeadline(later, keysOf(name));

      given()
          .delete(Api.FILTERS + name + "/expiry")
          .then()
          .statusCode(200)
          .body("expiresAt", nullValue());
      keysOf(name).forEach(key -> assertEquals(-1, redis.run("PTTL", key).toLong(), key));
      Api.test(name, "kept").body("mightContainCount", equalTo(1));
      given().delete(Api.FILTERS + name).then().statusCode(204);
    }
  }

  @Test
  void removingADeadlineThatIsNotThereChangesNothing() {
    var name = Api.newFilter();
    given()
        .delete(Api.FILTERS + name + "/expiry")
        .then()
        .statusCode(200)
        .body("expiresAt", nullValue());
  }

  @Test
  void theDeadlineOfNoFilterCannotBeSet() {
    var name = Api.newName();
    Api.json("{\"ttlSeconds\": 10}").put(Api.FILTERS + name + "/expiry").then().statusCode(404);
    given().delete(Api.FILTERS + name + "/expiry").then().statusCode(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"ttlSeconds\": null}",
        "{\"ttlSeconds\": 0}",
        "{\"ttlSeconds\": 315360001}",
        "{\"ttlSeconds\": 9, \"expiresAt\": \"2037-01-01T00:00:00Z\"}",
        "{\"expiresAt\": \"2001-01-01T00:00:00Z\"}",
        "{\"expiresAt\": \"9999-01-01T00:00:00Z\"}",
        "{\"expiresAt\": 1893456000}",
        "{\"expiresAt\": \"1893456000\"}",
        "{\"expiresAt\": \"2037-01-01\"}",
        "{\"expiresAt\": \"\"}"
      })
  void aDeadlineThatIsNoneIsRefused(String body) {
    var name = Api.newFilter();
    var before = Api.description(name);
    Api.json(body)
        .put(Api.FILTERS + name + "/expiry")
        .then()
        .statusCode(400)
        .body("code", equalTo("INVALID_REQUEST"));
    assertEquals(before, Api.description(name));
  }

  @Test
  void aDeadlineMayHaveAnOffset() {
    var name = Api.newFilter();
    var deadline = Instant.now().plusSeconds(9000).truncatedTo(ChronoUnit.SECONDS);
    var local = deadline.atOffset(ZoneOffset.ofHours(5)).toString();
    Api.json(Map.of("expiresAt", local))
        .put(Api.FILTERS + name + "/expiry")
        .then()
        .statusCode(200)
        .body("expiresAt", equalTo(deadline.toString()));
  }

  @Test
  void aClearedFilterIsEmptyInItsNextGenerationAndKeepsItsDeadline() {
    for (var body :
        List.of(
            "{\"expectedInsertions\": 1000, \"ttlSeconds\": 5000}",
            "{\"bitSize\": 16777280, \"numHashFunctions\": 3, \"ttlSeconds\": 5000}")) {
      var name = Api.newFilter(body);
      Api.add(name, "a", "b", "c").statusCode(200);
      var expiresAt = Api.describe(name).jsonPath().getString("expiresAt");
      given()
          .post(Api.FILTERS + name + "/clear")
          .then()
          .statusCode(200)
          .body("generation", equalTo(2))
          .body("insertions", equalTo(0))
          .body("bitsSet", equalTo(0))
          .body("fillRatio", equalTo(0.0f))
          .body("expiresAt", equalTo(expiresAt));
      assertDeadline(Instant.parse(expiresAt), keysOf(name));
      Api.test(name, "a", "b", "c").body("mightContainCount", equalTo(0));
      Api.add(name, "a").body("added", equalTo(List.of(true)));
      given().delete(Api.FILTERS + name).then().statusCode(204);
    }
  }

  @Test
  void noFilterCannotBeCleared() {
    given().post(Api.FILTERS + Api.newName() + "/clear").then().statusCode(404);
  }

  @Test
  void aRenamedFilterKeepsItsContentAndItsDeadline() {
    for (var body :
        List.of(
            "{\"expectedInsertions\": 1000, \"ttlSeconds\": 5000}",
            "{\"bitSize\": 16777280, \"numHashFunctions\": 3, \"ttlSeconds\": 5000}")) {
      var from = Api.newFilter(body);
      var to = Api.newName();
      Api.add(from, "kept").statusCode(200);
      var before = Api.describe(from).jsonPath();
      Api.post(from, "rename", Map.of("to", to))
          .then()
          .statusCode(200)
          .body("name", equalTo(to))
          .body("insertions", equalTo(1))
          .body("bitsSet", equalTo(before.getInt("bitsSet")))
          .body("createdAt", equalTo(before.getString("createdAt")))
          .body("expiresAt", equalTo(before.getString("expiresAt")))
          .body("redisKey", equalTo("bloom:{" + to + "}:bits"));
      Api.describe(from).then().statusCode(404);
      Api.test(to, "kept", "other").body("mightContain", equalTo(List.of(true, false)));
      assertEquals(List.of(), keysNamed(from));
      assertDeadline(Instant.parse(before.getString("expiresAt")), keysOf(to));
      list(from).body("filters", hasSize(0));
      list(to).body("filters", hasSize(1));
      given().delete(Api.FILTERS + to).then().statusCode(204);
    }
  }

  @Test
  void aNameThatIsTakenIsReplacedOnlyOnDemand() {
    var from = Api.newFilter();
    var to = Api.newFilter("{\"expectedInsertions\": 77}");
    Api.add(from, "new").statusCode(200);
    Api.add(to, "old").statusCode(200);
    Api.post(from, "rename", Map.of("to", to))
        .then()
        .statusCode(409)
        .body("code", equalTo("FILTER_EXISTS"));
    Api.post(from, "rename", Map.of("to", to, "replace", false)).then().statusCode(409);
    Api.test(from, "new").body("mightContainCount", equalTo(1));
    Api.test(to, "old").body("mightContainCount", equalTo(1));

    Api.post(from, "rename", Map.of("to", to, "replace", true))
        .then()
        .statusCode(200)
        .body("expectedInsertions", equalTo(1000));
    Api.test(to, "new", "old").body("mightContain", equalTo(List.of(true, false)));
    Api.describe(from).then().statusCode(404);
  }

  @Test
  void aFilterCannotBeRenamedToItself() {
    var name = Api.newFilter();
    Api.post(name, "rename", Map.of("to", name, "replace", true))
        .then()
        .statusCode(400)
        .body("code", equalTo("INVALID_REQUEST"));
    Api.describe(name).then().statusCode(200);
  }

  @Test
  void noFilterCannotBeRenamed() {
    var to = Api.newName();
    Api.post(Api.newName(), "rename", Map.of("to", to)).then().statusCode(404);
    list(to).body("filters", hasSize(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "7", "a.b", "a_b", "a~b", "a:b", "a@b", "a-b", "Zz.0_~:@-"})
  void aNameMayHaveLettersDigitsAndSomeSigns(String sample) {
    var name = sample + Api.newName();
    Api.put(name, "{\"expectedInsertions\": 10}").then().statusCode(201);
    Api.describe(name).then().statusCode(200).body("name", equalTo(name));
  }

  @Test
  void aNameMayHave128Characters() {
    var name = Api.newName() + "x".repeat(128 - Api.newName().length());
    Api.put(name, "{\"expectedInsertions\": 10}").then().statusCode(201);
    Api.put(name + "x", "{\"expectedInsertions\": 10}")
        .then()
        .statusCode(400)
        .body("detail", not(containsString(name)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-a",
        ".a",
        "_a",
        "~a",
        ":a",
        "@a",
        "%20a",
        "a%20b",
        "a+b",
        "a%2Fb",
        "a%5Cb",
        "a%00",
        "a%0A",
        "%7Ba%7D",
        "a%7Bb",
        "%C3%A9",
        "%FF",
        "%ED%A0%80",
        "a*",
        "a,b",
        "a%3Bb",
        "a=b",
        "a&b",
        "a%3Fb",
        "a%23b",
        "$a",
        "a!",
        "(a)",
        "'a'",
        "%F0%9F%98%80"
      })
  void anyOtherNameIsRefused(String name) {
    Api.raw()
        .contentType("application/json")
        .body("{\"expectedInsertions\": 10}")
        .put(Api.FILTERS + name)
        .then()
        .statusCode(400)
        .contentType("application/problem+json")
        .body("code", equalTo("INVALID_REQUEST"))
        .body("detail", startsWith("A filter name has 1 to 128 characters"));
    Api.raw().get(Api.FILTERS + name).then().statusCode(400);
  }

  @Test
  void everyListedNameBeginsWithThePrefix() {
    var name = Api.newFilter();
    list("test-").body("filters.name", everyItem(startsWith("test-")));
    list(name.substring(0, 20)).body("filters.name", hasItem(name));
  }

  /** On a slow machine the answer may already say that the filter is gone. */
  private static void letExpire(String name) {
    Api.json("{\"ttlSeconds\": 1}").put(Api.FILTERS + name + "/expiry");
  }

  private static ValidatableResponse list(String prefix) {
    return given()
        .queryParam("prefix", prefix)
        .queryParam("limit", 500)
        .get("/v1/filters")
        .then()
        .statusCode(200);
  }

  private static List<String> stateAndBits(String name) {
    return List.of("bloom:{" + name + "}:state", "bloom:{" + name + "}:bits");
  }

  /** The keys that bear the name. */
  private List<String> keysNamed(String name) {
    return redis.run("KEYS", "bloom:{" + name + "}:*").stream().map(Object::toString).toList();
  }

  /** All keys of a filter, those of its later segments included. */
  private List<String> keysOf(String name) {
    var keys = new ArrayList<>(keysNamed(name));
    if (keys.contains("bloom:{" + name + "}:segments")) {
      redis
          .run("HKEYS", "bloom:{" + name + "}:segments")
          .forEach(
              incarnation ->
                  redis
                      .run("KEYS", "bloom:{" + incarnation + "/*")
                      .forEach(key -> keys.add(key.toString())));
    }
    return keys;
  }

  /** A key's deadline in Redis, to the precision of its remaining time. */
  private void assertDeadline(Instant expected, List<String> keys) {
    for (var key : keys) {
      var before = Instant.now();
      var left = Duration.ofMillis(redis.run("PTTL", key).toLong());
      var after = Instant.now();
      assertTrue(
          expected.isAfter(before.plus(left).minusSeconds(2))
              && expected.isBefore(after.plus(left).plusSeconds(2)),
          key + " expires " + left + " after " + before + ", not at " + expected);
    }
  }

  @Test
  void aFilterThatExistsSaysThatItsDeadlineIsKept() {
    var name = Api.newName();
    var body = "{\"expectedInsertions\": 10, \"ttlSeconds\": %d}";
    Api.put(name, body.formatted(5000)).then().statusCode(201).body("$", not(hasKey("note")));
    String deadline = Api.describe(name).path("expiresAt");
    Api.put(name, body.formatted(9000))
        .then()
        .statusCode(200)
        .body("expiresAt", equalTo(deadline))
        .body("note", containsString("PUT /v1/filters/" + name + "/expiry"));
    Api.put(name, "{\"expectedInsertions\": 10}").then().body("$", not(hasKey("note")));
    Api.describe(name).then().body("$", not(hasKey("note")));
  }
}
