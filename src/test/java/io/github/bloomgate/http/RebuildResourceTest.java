package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.config.JsonConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.http.ContentType;
import io.restassured.path.json.config.JsonPathConfig.NumberReturnType;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of rebuilds: opened, watched, loaded, committed, aborted. */
@QuarkusTest
class RebuildResourceTest {

  private static final RestAssuredConfig DOUBLES =
      RestAssuredConfig.config()
          .jsonConfig(JsonConfig.jsonConfig().numberReturnType(NumberReturnType.DOUBLE));

  @Inject RawRedis redis;

  @Test
  void aRebuildReplacesTheContentAndKeepsWhatWasAddedMeanwhile() {
    var name = Api.newFilter();
    Api.add(name, "old").statusCode(200);
    open(name, "{\"expectedInsertions\": 2000}").statusCode(201);
    load(name, "loaded", "loaded")
        .statusCode(200)
        .body("added", equalTo(List.of(true, false)))
        .body("addedCount", equalTo(1));
    Api.add(name, "meanwhile").statusCode(200).body("added", equalTo(List.of(true)));
    Api.test(name, "old", "loaded", "meanwhile")
        .body("mightContain", equalTo(List.of(true, false, true)));
    commit(name, "{}")
        .statusCode(200)
        .body("name", equalTo(name))
        .body("expectedInsertions", equalTo(2000))
        .body("insertions", equalTo(2))
        .body("generation", equalTo(2))
        .body("rebuild", nullValue());
    Api.test(name, "old", "loaded", "meanwhile")
        .body("mightContain", equalTo(List.of(false, true, true)));
  }

  @Test
  void everyFieldOfARebuildIsDescribed() {
    var before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    var name = Api.newFilter();
    var opened =
        open(name, "{\"timeoutSeconds\": 60, \"whenFull\": \"reject\"}").statusCode(201).extract();
    Map<String, Object> view = fields(name);
    assertEquals(opened.path("id"), view.get("id"));
    assertTrue(view.remove("id").toString().matches("[0-9a-f]{16}"));
    var openedAt = Instant.parse(view.remove("openedAt").toString());
    assertFalse(openedAt.isBefore(before), "openedAt " + openedAt);
    var abandonedAt = Instant.parse(view.remove("abandonedAt").toString());
    assertFalse(abandonedAt.isBefore(before.plusSeconds(60)), "abandonedAt " + abandonedAt);
    assertFalse(abandonedAt.isAfter(Instant.now().plusSeconds(60)), "abandonedAt " + abandonedAt);
    assertTrue((double) view.remove("elapsedSeconds") >= 0);
    var expected = new HashMap<String, Object>();
    expected.put("state", "open");
    expected.put("hashScheme", "bloomgate-1");
    expected.put("expectedInsertions", 1000);
    expected.put("falsePositiveProbability", 0.01);
    expected.put("bitSize", 9600);
    expected.put("numHashFunctions", 7);
    expected.put("segments", 1);
    expected.put("segmentsReady", 1);
    expected.put("sizeBytes", 1200);
    expected.put("whenFull", "reject");
    expected.put("elementsReceived", 0);
    expected.put("insertions", 0);
    expected.put("bitsSet", 0);
    expected.put("fillRatio", 0.0);
    expected.put("approximateElementCount", 0);
    expected.put("estimatedFalsePositiveProbability", 0.0);
    expected.put("generation", 2);
    expected.put("timeoutSeconds", 60);
    assertEquals(expected, view);
  }

  private static Map<String, Object> fields(String name) {
    return given()
        .config(DOUBLES)
        .get(path(name))
        .then()
        .statusCode(200)
        .contentType("application/json")
        .extract()
        .jsonPath()
        .getMap("$");
  }

  @Test
  void theDescriptionOfTheFilterHasItsRebuild() {
    var name = Api.newFilter();
    var id = idOf(open(name, "{}"));
    load(name, "one", "two").statusCode(200);
    Api.add(name, "three").statusCode(200);
    Api.describe(name)
        .then()
        .body("insertions", equalTo(1))
        .body("generation", equalTo(1))
        .body("rebuild.id", equalTo(id))
        .body("rebuild.elementsReceived", equalTo(2))
        .body("rebuild.insertions", equalTo(3))
        .body("rebuild.bitsSet", greaterThan(14));
    abort(name).then().statusCode(204);
    Api.describe(name).then().body("rebuild", nullValue()).body("insertions", equalTo(1));
  }

  @Test
  void theLocationOfARebuildLeadsToIt() {
    var name = "a:b@c~" + Api.newFilter();
    Api.put(name, "{\"expectedInsertions\": 10}").then().statusCode(201);
    var opened = open(name, "{}").statusCode(201).extract();
    var location = opened.header("Location");
    assertTrue(location.endsWith("/v1/filters/" + name + "/rebuild"), location);
    given().get(location).then().statusCode(200).body("id", equalTo(opened.path("id")));
  }

  @Test
  void noBodyAsksForNothingSpecial() {
    var name = Api.newFilter();
    given()
        .noContentType()
        .post(path(name))
        .then()
        .statusCode(201)
        .body("timeoutSeconds", equalTo(3600));
    load(name, "one").statusCode(200);
    given()
        .noContentType()
        .post(path(name) + "/commit")
        .then()
        .statusCode(200)
        .body("generation", equalTo(2));
    given().contentType(ContentType.JSON).post(path(name)).then().statusCode(201);
    assertProblem(
        given().contentType(ContentType.JSON).post(path(name) + "/commit"), 409, "REBUILD_EMPTY");
  }

  @ParameterizedTest
  @CsvSource({
    "{},                                                    9600,     7, 1",
    "{\"expectedInsertions\":2000},                         19200,    7, 1",
    "{\"falsePositiveProbability\":0.001},                  14400,   10, 1",
    "'{\"bitSize\":65,\"numHashFunctions\":3}',             128,      3, 1",
    "'{\"bitSize\":16777217,\"numHashFunctions\":3}',       16777344, 3, 2",
  })
  void otherParametersMayBeGiven(String body, int bitSize, int numHashFunctions, int segments) {
    var name = Api.newFilter();
    open(name, body)
        .statusCode(201)
        .body("bitSize", equalTo(bitSize))
        .body("numHashFunctions", equalTo(numHashFunctions))
        .body("segments", equalTo(segments))
        .body("segmentsReady", equalTo(segments))
        .body("state", equalTo("open"));
    load(name, "one").statusCode(200);
    Api.add(name, "two").statusCode(200);
    commit(name, "{}").statusCode(200).body("bitSize", equalTo(bitSize));
    Api.test(name, "one", "two").body("mightContainCount", equalTo(2));
    given().delete(Api.FILTERS + name).then().statusCode(204);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"expectedInsertions\":0}",
        "{\"falsePositiveProbability\":0.6}",
        "{\"bitSize\":64}",
        "{\"bitSize\":64,\"numHashFunctions\":3,\"expectedInsertions\":5}",
        "{\"hashScheme\":\"none\"}",
        "{\"hashScheme\":\"go-zero\"}",
        "{\"whenFull\":\"maybe\"}",
        "{\"timeoutSeconds\":0}",
        "{\"timeoutSeconds\":604801}",
        "{\"timeoutSeconds\":\"1\"}",
        "{\"ttlSeconds\":10}",
        "{\"unknown\":1}",
        "[]",
        "{",
      })
  void anOpeningThatIsNotValidOpensNothing(String body) {
    var name = Api.newFilter();
    assertProblem(Api.post(name, "rebuild", body), 400, "INVALID_REQUEST");
    assertNoRebuild(name);
    Api.describe(name).then().body("rebuild", nullValue());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"unknown\":true}",
        "{\"allowEmpty\":\"yes\"}",
        "{\"ttlSeconds\":0}",
        "{\"ttlSeconds\":60,\"expiresAt\":\"2999-01-01T00:00:00Z\"}",
        "{\"expiresAt\":\"2001-01-01T00:00:00Z\"}",
        "{\"expiresAt\":\"tomorrow\"}",
      })
  void aCommitThatIsNotValidCommitsNothing(String body) {
    var name = Api.newFilter();
    open(name, "{}").statusCode(201);
    load(name, "one").statusCode(200);
    assertProblem(Api.post(name, "rebuild/commit", body), 400, "INVALID_REQUEST");
    Api.describe(name).then().body("generation", equalTo(1)).body("rebuild.id", not(nullValue()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"elements\":[]}",
        "{\"elements\":[1]}",
        "{\"elements\":[\"a\"],\"unknown\":1}",
        "{\"elements\":[\"!\"],\"encoding\":\"hex\"}",
      })
  void aLoadThatIsNotValidLoadsNothing(String body) {
    var name = Api.newFilter();
    open(name, "{}").statusCode(201);
    assertProblem(Api.post(name, "rebuild/add", body), 400, "INVALID_REQUEST");
    given().get(path(name)).then().body("elementsReceived", equalTo(0)).body("bitsSet", equalTo(0));
  }

  @Test
  void otherMediaTypesAreNotRead() {
    var name = Api.newFilter();
    for (var operation : List.of("", "/add", "/commit")) {
      assertProblem(
          given().contentType("text/plain").body("x").post(path(name) + operation),
          415,
          "UNSUPPORTED_FORMAT");
    }
    assertNoRebuild(name);
  }

  @Test
  void elementsMayBeEncoded() {
    var name = Api.newFilter();
    open(name, "{}").statusCode(201);
    Api.post(name, "rebuild/add", Map.of("elements", List.of("616263"), "encoding", "hex"))
        .then()
        .statusCode(200);
    commit(name, "{}").statusCode(200);
    Api.test(name, "abc").body("mightContainCount", equalTo(1));
  }

  @Test
  void whereNoRebuildIsOpenThereIsNone() {
    var name = Api.newFilter();
    assertNoRebuild(name);
    assertProblem(load(name, "a").extract().response(), 404, "REBUILD_NOT_FOUND");
    assertProblem(Api.post(name, "rebuild/commit", "{}"), 404, "REBUILD_NOT_FOUND");
    assertProblem(abort(name), 404, "REBUILD_NOT_FOUND");
    assertNoRebuild(Api.newName());
    assertProblem(Api.post(Api.newName(), "rebuild", "{}"), 404, "FILTER_NOT_FOUND");
    // Nor after it is over.
    open(name, "{}").statusCode(201);
    abort(name).then().statusCode(204);
    assertProblem(abort(name), 404, "REBUILD_NOT_FOUND");
    open(name, "{}").statusCode(201);
    commit(name, "{\"allowEmpty\": true}").statusCode(200);
    assertProblem(Api.post(name, "rebuild/commit", "{}"), 404, "REBUILD_NOT_FOUND");
  }

  @Test
  void aNameThatIsNoneIsRefused() {
    for (var response :
        List.of(
            Api.post("-", "rebuild", "{}"),
            given().get(path("-")),
            given().delete(path("-")),
            Api.post("-", "rebuild/commit", "{}"),
            Api.post("-", "rebuild/add", "{\"elements\":[\"a\"]}"))) {
      assertProblem(response, 400, "INVALID_REQUEST");
    }
  }

  @Test
  void anOpenRebuildIsInTheWayOfAnotherAndOfAClearance() {
    var name = Api.newFilter();
    Api.add(name, "kept").statusCode(200);
    var id = idOf(open(name, "{}"));
    for (var operation : List.of("rebuild", "clear")) {
      var refused =
          operation.equals("clear")
              ? given().post(Api.FILTERS + name + "/clear")
              : Api.post(name, operation, "{}");
      assertProblem(refused, 409, "REBUILD_IN_PROGRESS");
      refused.then().body("detail", containsString("/v1/filters/" + name + "/rebuild"));
    }
    given().get(path(name)).then().body("id", equalTo(id));
    Api.test(name, "kept").body("mightContainCount", equalTo(1));
  }

  @Test
  void aRebuildWithoutElementsIsCommittedOnlyWhenAskedFor() {
    var name = Api.newFilter();
    Api.add(name, "kept").statusCode(200);
    open(name, "{}").statusCode(201);
    assertProblem(Api.post(name, "rebuild/commit", "{}"), 409, "REBUILD_EMPTY");
    assertProblem(Api.post(name, "rebuild/commit", "{\"allowEmpty\":false}"), 409, "REBUILD_EMPTY");
    Api.test(name, "kept").body("mightContainCount", equalTo(1));
    commit(name, "{\"allowEmpty\":true}").statusCode(200).body("bitsSet", equalTo(0));
  }

  @Test
  void aRebuildOfTooFewElementsIsNotCommitted() {
    var name = Api.newFilter();
    Api.add(name, "old").statusCode(200);
    Api.post(name, "rebuild", "{}").then().statusCode(201);
    Api.json("{\"elements\": [\"a\", \"b\"]}").post(path(name) + "/add").then().statusCode(200);
    // What is added by others was not loaded.
    Api.add(name, "c", "d").statusCode(200);
    assertProblem(
        Api.post(name, "rebuild/commit", "{\"minElements\": 3, \"allowEmpty\": true}"),
        409,
        "REBUILD_TOO_SMALL");
    Api.test(name, "old").body("mightContainCount", equalTo(1));
    Api.json("{\"elements\": [\"e\"]}").post(path(name) + "/add").then().statusCode(200);
    commit(name, "{\"minElements\": 3}").statusCode(200);
    Api.test(name, "a", "b", "c", "d", "e", "old").body("mightContainCount", equalTo(5));
    Api.test(name, "kept").body("mightContainCount", equalTo(0));
  }

  @Test
  void theIdTellsWhichRebuildIsMeant() {
    var name = Api.newFilter();
    var first = idOf(open(name, "{}"));
    abort(name, first).then().statusCode(204);
    var second = idOf(open(name, "{}"));
    var body = "{\"elements\":[\"a\"]}";
    for (var other : List.of(first, "x")) {
      assertProblem(Api.json(body).post(path(name) + "/add?id=" + other), 404, "REBUILD_NOT_FOUND");
      assertProblem(
          Api.json("{\"allowEmpty\":true}").post(path(name) + "/commit?id=" + other),
          404,
          "REBUILD_NOT_FOUND");
      assertProblem(abort(name, other), 404, "REBUILD_NOT_FOUND");
    }
    assertProblem(abort(name, ""), 400, "INVALID_REQUEST");
    given().get(path(name)).then().body("elementsReceived", equalTo(0));
    Api.json(body).post(path(name) + "/add?id=" + second).then().statusCode(200);
    Api.json("{}").post(path(name) + "/commit?id=" + second).then().statusCode(200);
    Api.test(name, "a").body("mightContainCount", equalTo(1));
  }

  @Test
  void unknownQueryParametersAreRefused() {
    var name = Api.newFilter();
    open(name, "{}").statusCode(201);
    assertProblem(given().delete(path(name) + "?force=true"), 400, "INVALID_REQUEST");
    assertProblem(
        Api.json("{\"allowEmpty\":true}").post(path(name) + "/commit?ids=1"),
        400,
        "INVALID_REQUEST");
    assertProblem(
        Api.json("{\"elements\":[\"a\"]}").post(path(name) + "/add?durability=primary"),
        400,
        "INVALID_REQUEST");
    given().get(path(name)).then().statusCode(200).body("elementsReceived", equalTo(0));
  }

  @Test
  void theDeadlineStaysUnlessTheCommitSetsAnother() {
    var name = Api.newFilter("{\"expectedInsertions\": 1000, \"ttlSeconds\": 3600}");
    String deadline = Api.describe(name).path("expiresAt");
    String createdAt = Api.describe(name).path("createdAt");
    open(name, "{}").statusCode(201);
    load(name, "a").statusCode(200);
    commit(name, "{}").body("expiresAt", equalTo(deadline)).body("createdAt", equalTo(createdAt));
    open(name, "{}").statusCode(201);
    load(name, "a").statusCode(200);
    var later = Instant.now().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.MILLIS).toString();
    commit(name, "{\"expiresAt\": \"" + later + "\"}").body("expiresAt", equalTo(later));
    Api.describe(name).then().body("expiresAt", equalTo(later));
  }

  @Test
  void aFullRebuildTellsHowManyItTook() {
    var name = Api.newFilter();
    open(name, "{\"expectedInsertions\": 10, \"whenFull\": \"reject\"}").statusCode(201);
    var many = IntStream.range(0, 20).mapToObj(i -> "e" + i).toArray(String[]::new);
    var refused = load(name, many).extract().response();
    assertProblem(refused, 409, "FILTER_FULL");
    int taken = refused.path("appliedCount");
    given()
        .get(path(name))
        .then()
        .body("elementsReceived", equalTo(taken))
        .body("insertions", equalTo(10));
    assertProblem(Api.add(name, "one more").extract().response(), 409, "FILTER_FULL");
  }

  @Test
  void aRebuildRepairsADamagedFilter() {
    var name = Api.newFilter();
    Api.add(name, "old").statusCode(200);
    redis.run("DEL", "bloom:{" + name + "}:bits");
    Api.test(name, "old").statusCode(410);
    open(name, "{}").statusCode(201);
    Api.test(name, "old").statusCode(410);
    load(name, "a").statusCode(200);
    commit(name, "{}").statusCode(200);
    Api.test(name, "a").statusCode(200).body("mightContainCount", equalTo(1));
    redis.run("HDEL", "bloom:{" + name + "}:state", "segments");
    assertProblem(Api.post(name, "rebuild", "{}"), 410, "FILTER_DAMAGED");
  }

  @Test
  void aRebuildThatLostAKeyIsNone() {
    for (var key : List.of("state", "bits")) {
      var name = Api.newFilter();
      open(name, "{}").statusCode(201);
      load(name, "a").statusCode(200);
      redis.run("DEL", "bloom:{" + name + "}:" + key + ":next");
      assertNoRebuild(name);
      assertProblem(Api.post(name, "rebuild/commit", "{}"), 404, "REBUILD_NOT_FOUND");
      Api.describe(name).then().statusCode(200).body("rebuild", nullValue());
      Api.add(name, "b").statusCode(200).body("addedCount", equalTo(1));
      open(name, "{}").statusCode(201);
    }
  }

  @Test
  void aForeignKeyIsNamedAndLeftAlone() {
    var name = Api.newFilter();
    var key = "bloom:{" + name + "}:state:next";
    redis.run("RPUSH", key, "theirs");
    for (var refused :
        List.of(
            Api.post(name, "rebuild", "{}"),
            given().get(path(name)),
            Api.post(name, "rebuild/commit", "{}"),
            abort(name),
            given().delete(Api.FILTERS + name))) {
      assertProblem(refused, 409, "WRONG_KEY_TYPE");
      refused.then().body("detail", containsString(key));
    }
    assertEquals("list", redis.run("TYPE", key).toString());
    Api.add(name, "a").statusCode(200);
  }

  @Test
  void aRebuildGoesWhereItsFilterGoes() {
    var name = Api.newFilter();
    var id = idOf(open(name, "{}"));
    load(name, "a").statusCode(200);
    var to = Api.newName();
    Api.post(name, "rename", Map.of("to", to))
        .then()
        .statusCode(200)
        .body("rebuild.id", equalTo(id));
    assertNoRebuild(name);
    commit(to, "{}").statusCode(200);
    Api.test(to, "a").body("mightContainCount", equalTo(1));
    open(to, "{}").statusCode(201);
    given().delete(Api.FILTERS + to).then().statusCode(204);
    assertNoRebuild(to);
  }

  @Test
  void aRebuildIsNotListedAsAFilter() {
    var name = Api.newFilter();
    open(name, "{}").statusCode(201);
    given()
        .get("/v1/filters?prefix=" + name)
        .then()
        .statusCode(200)
        .body("filters.name", equalTo(List.of(name)))
        .body("filters.name", hasItem(name));
  }

  private static String path(String name) {
    return Api.FILTERS + name + "/rebuild";
  }

  private static ValidatableResponse open(String name, String body) {
    return Api.post(name, "rebuild", body).then();
  }

  private static String idOf(ValidatableResponse opened) {
    return opened.statusCode(201).header("Location", endsWith("/rebuild")).extract().path("id");
  }

  private static ValidatableResponse load(String name, String... elements) {
    return Api.post(name, "rebuild/add", Map.of("elements", List.of(elements))).then();
  }

  private static ValidatableResponse commit(String name, String body) {
    return Api.post(name, "rebuild/commit", body).then();
  }

  private static Response abort(String name) {
    return given().delete(path(name));
  }

  private static Response abort(String name, String id) {
    return given().delete(path(name) + "?id=" + id);
  }

  private static void assertNoRebuild(String name) {
    assertProblem(given().get(path(name)), 404, "REBUILD_NOT_FOUND");
  }

  private static void assertProblem(Response response, int status, String code) {
    response
        .then()
        .statusCode(status)
        .contentType("application/problem+json")
        .body("code", equalTo(code));
  }
}
