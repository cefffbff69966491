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

/** Requests to rebuilds that are refused, and rebuilds with damaged keys. */
@QuarkusTest
class RebuildRefusalTest extends RebuildRequests {

  @Inject RawRedis redis;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"falsePositiveProbability\":0.6}",
        "{\"bitSize\":64}",
        "{\"bitSize\":64,\"numHashFunctions\":3,\"expectedInsertions\":5}",
        "{\"hashScheme\":\"go-zero\"}",
        "{\"ttlSeconds\":10}",
        "{",
      })
  void anInvalidRequestOpensNothing(String body) {
    var name = Api.newFilter();
    Api.refused(400, "INVALID_REQUEST", Api.post(name, "rebuild", body));
    assertNoRebuild(name);
    Api.describe(name).body("rebuild", nullValue());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"ttlSeconds\":60,\"expiresAt\":\"2999-01-01T00:00:00Z\"}",
        "{\"expiresAt\":\"2001-01-01T00:00:00Z\"}",
        "{\"expiresAt\":\"tomorrow\"}",
      })
  void anInvalidRequestCommitsNothing(String body) {
    var name = Api.newFilter();
    open(name, "{}").statusCode(201);
    load(name, "one").statusCode(200);
    Api.refused(400, "INVALID_REQUEST", Api.post(name, "rebuild/commit", body));
    Api.describe(name).body("generation", equalTo(1)).body("rebuild.id", not(nullValue()));
  }

  /** These schemes round up, unlike the others, so they need one more for the same rate. */
  @ParameterizedTest
  @ValueSource(strings = {"bits-and-blooms", "redisbloom"})
  void aRebuildHasAtMostAsManyHashFunctionsAsAFilter(String scheme) {
    var body = "{\"hashScheme\": \"%s\", \"bitSize\": 100000, \"numHashFunctions\": 255}";
    var name = Api.newFilter(body.formatted(scheme));
    Api.refused(422, "LIMIT_EXCEEDED", Api.post(name, "rebuild", "{\"expectedInsertions\": 7}"));
    assertNoRebuild(name);
  }

  /** A rebuild does not accept fields that only apply to creating a filter. */
  @ParameterizedTest
  @ValueSource(strings = {"counting", "redisKey", "ttlSeconds", "other"})
  void aFieldThatARebuildDoesNotHaveIsRefused(String field) {
    var body = "{\"%s\": true}".formatted(field);
    Api.refused(400, "INVALID_REQUEST", Api.post(Api.newFilter(), "rebuild", body))
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
    Api.refused(404, "REBUILD_NOT_FOUND", load(name, "a"));
    Api.refused(404, "REBUILD_NOT_FOUND", Api.post(name, "rebuild/commit", "{}"));
    Api.refused(404, "REBUILD_NOT_FOUND", abort(name));
    assertNoRebuild(Api.newName());
    Api.refused(404, "FILTER_NOT_FOUND", Api.post(Api.newName(), "rebuild", "{}"));
    // The rebuild is also unknown after it has ended.
    open(name, "{}").statusCode(201);
    abort(name).statusCode(204);
    Api.refused(404, "REBUILD_NOT_FOUND", abort(name));
    open(name, "{}").statusCode(201);
    commit(name, "{\"allowEmpty\": true}").statusCode(200);
    Api.refused(404, "REBUILD_NOT_FOUND", Api.post(name, "rebuild/commit", "{}"));
  }

  @Test
  void theIdSelectsTheRebuild() {
    var name = Api.newFilter();
    var first = idOf(open(name, "{}"));
    abort(name, first).statusCode(204);
    var second = idOf(open(name, "{}"));
    var body = "{\"elements\":[\"a\"]}";
    for (var other : List.of(first, "x")) {
      Api.refused(404, "REBUILD_NOT_FOUND", Api.post(name, "rebuild/add?id=" + other, body));
      Api.refused(
          404,
          "REBUILD_NOT_FOUND",
          Api.post(name, "rebuild/commit?id=" + other, "{\"allowEmpty\":true}"));
      Api.refused(404, "REBUILD_NOT_FOUND", abort(name, other));
    }
    Api.refused(400, "INVALID_REQUEST", abort(name, ""));
    given().get(path(name)).then().body("elementsReceived", equalTo(0));
    Api.post(name, "rebuild/add?id=" + second, body).statusCode(200);
    Api.post(name, "rebuild/commit?id=" + second, "{}").statusCode(200);
    Api.test(name, "a").body("mightContainCount", equalTo(1));
  }

  @Test
  void aFullRebuildReportsTheNumberLoaded() {
    var name = Api.newFilter();
    open(name, "{\"expectedInsertions\": 10, \"whenFull\": \"reject\"}").statusCode(201);
    var many = IntStream.range(0, 20).mapToObj(i -> "e" + i).toArray(String[]::new);
    int taken = Api.refused(409, "FILTER_FULL", load(name, many)).extract().path("appliedCount");
    given()
        .get(path(name))
        .then()
        .body("elementsReceived", equalTo(taken))
        .body("insertions", equalTo(10));
    Api.refused(409, "FILTER_FULL", Api.add(name, "one more"));
  }

  @Test
  void aRebuildRepairsADamagedFilter() {
    var name = Api.newFilter();
    Api.add(name, "old").statusCode(200);
    redis.run("DEL", Api.fields(name).getString("redisKey"));
    Api.test(name, "old").statusCode(410);
    open(name, "{}").statusCode(201);
    Api.test(name, "old").statusCode(410);
    load(name, "a").statusCode(200);
    commit(name, "{}").statusCode(200);
    Api.test(name, "a").statusCode(200).body("mightContainCount", equalTo(1));
    redis.run("HDEL", "bloom:{" + name + "}", "definition");
    Api.refused(410, "FILTER_DAMAGED", Api.post(name, "rebuild", "{}"));
  }

  @Test
  void aRebuildThatLostAKeyIsNotFound() {
    var name = Api.newFilter();
    open(name, "{}").statusCode(201);
    load(name, "a").statusCode(200);
    redis.run("DEL", "bloom:{" + name + "}:next");
    assertNoRebuild(name);
    Api.refused(404, "REBUILD_NOT_FOUND", Api.post(name, "rebuild/commit", "{}"));
    Api.describe(name).statusCode(200).body("rebuild", nullValue());
    Api.add(name, "b").statusCode(200).body("addedCount", equalTo(1));
    open(name, "{}").statusCode(201);
  }

  @Test
  void aForeignKeyIsNamedAndLeftAlone() {
    var name = Api.newFilter();
    var key = "bloom:{" + name + "}:next";
    redis.run("RPUSH", key, "theirs");
    Api.refused(409, "WRONG_KEY_TYPE", Api.post(name, "rebuild", "{}"))
        .body("detail", containsString(key));
    Api.add(name, "a").statusCode(200);
    Api.delete(name).statusCode(204);
    assertEquals("list", redis.run("TYPE", key).toString());
  }
}
