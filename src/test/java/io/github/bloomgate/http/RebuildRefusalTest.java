package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests to rebuilds that are refused, and keys of rebuilds that are damaged. */
@QuarkusTest
class RebuildRefusalTest extends RebuildRequests {

  @Inject RawRedis redis;

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

  /** These schemes round up where the others round, so the kept rate needs one more. */
  @ParameterizedTest
  @ValueSource(strings = {"bits-and-blooms", "redisbloom"})
  void aRebuildHasAtMostAsManyHashFunctionsAsAFilter(String scheme) {
    var body = "{\"hashScheme\": \"%s\", \"bitSize\": 100000, \"numHashFunctions\": 255}";
    var name = Api.newFilter(body.formatted(scheme));
    var refused = Api.post(name, "rebuild", "{\"expectedInsertions\": 7}");
    assertProblem(refused, 422, "LIMIT_EXCEEDED");
    assertNoRebuild(name);
  }

  /** What a filter is created with alone is no field of a rebuild. */
  @ParameterizedTest
  @ValueSource(strings = {"counting", "redisKey", "ttlSeconds", "other"})
  void aFieldThatARebuildDoesNotHaveIsRefused(String field) {
    var refused = Api.post(Api.newFilter(), "rebuild", "{\"%s\": true}".formatted(field));
    assertProblem(refused, 400, "INVALID_REQUEST");
    refused
        .then()
        .body("violations.field", contains(field))
        .body(
            "violations.message",
            contains(
                "is not a field of this request; its fields are bitSize, elementCodec,"
                    + " expectedInsertions, falsePositiveProbability, growthFactor, hashScheme,"
                    + " maxSizeBytes, numHashFunctions, refresh, slices, timeoutSeconds, whenFull,"
                    + " window"));
  }

  @Test
  void withoutAnOpenRebuildNoneIsFound() {
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
  void theIdSelectsTheRebuild() {
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
  void aFullRebuildReportsTheNumberLoaded() {
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
    redis.run("DEL", Api.describe(name).jsonPath().getString("redisKey"));
    Api.test(name, "old").statusCode(410);
    open(name, "{}").statusCode(201);
    Api.test(name, "old").statusCode(410);
    load(name, "a").statusCode(200);
    commit(name, "{}").statusCode(200);
    Api.test(name, "a").statusCode(200).body("mightContainCount", equalTo(1));
    redis.run("HDEL", "bloom:{" + name + "}", "definition");
    assertProblem(Api.post(name, "rebuild", "{}"), 410, "FILTER_DAMAGED");
  }

  @Test
  void aRebuildThatLostAKeyIsNotFound() {
    var name = Api.newFilter();
    open(name, "{}").statusCode(201);
    load(name, "a").statusCode(200);
    redis.run("DEL", "bloom:{" + name + "}:next");
    assertNoRebuild(name);
    assertProblem(Api.post(name, "rebuild/commit", "{}"), 404, "REBUILD_NOT_FOUND");
    Api.describe(name).then().statusCode(200).body("rebuild", nullValue());
    Api.add(name, "b").statusCode(200).body("addedCount", equalTo(1));
    open(name, "{}").statusCode(201);
  }

  @Test
  void aForeignKeyIsNamedAndLeftAlone() {
    var name = Api.newFilter();
    var key = "bloom:{" + name + "}:next";
    redis.run("RPUSH", key, "theirs");
    var refused = Api.post(name, "rebuild", "{}");
    assertProblem(refused, 409, "WRONG_KEY_TYPE");
    refused.then().body("detail", containsString(key));
    Api.add(name, "a").statusCode(200);
    given().delete(Api.FILTERS + name).then().statusCode(204);
    assertEquals("list", redis.run("TYPE", key).toString());
  }
}
