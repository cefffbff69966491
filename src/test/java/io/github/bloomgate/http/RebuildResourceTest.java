package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of rebuilds: opened, watched, loaded, committed, aborted and refused. */
@QuarkusTest
class RebuildResourceTest extends FilterAndKeys {

  private static String path(String name) {
    return Api.FILTERS + name + "/rebuild";
  }

  private static ValidatableResponse open(String name, String body) {
    return Api.post(name, "rebuild", body);
  }

  private static String idOf(ValidatableResponse opened) {
    return opened.statusCode(201).header("Location", endsWith("/rebuild")).extract().path("id");
  }

  private static ValidatableResponse load(String name, String... elements) {
    return Api.post(name, "rebuild/add", Map.of("elements", List.of(elements)));
  }

  private static ValidatableResponse commit(String name, String body) {
    return Api.post(name, "rebuild/commit", body);
  }

  private static ValidatableResponse abort(String name) {
    return given().delete(path(name)).then();
  }

  private static ValidatableResponse abort(String name, String id) {
    return given().delete(path(name) + "?id=" + id).then();
  }

  private static ValidatableResponse rebuild(String name) {
    return given().get(path(name)).then();
  }

  private static void assertNoRebuild(String name) {
    Api.refused(404, "REBUILD_NOT_FOUND", rebuild(name));
  }

  @Test
  void aRebuildReplacesTheContentAndKeepsConcurrentAdds() {
    var name = Api.newFilter();
    Api.add(name, "old").statusCode(200);
    open(name, "{\"expectedInsertions\": 2000}").statusCode(201);
    load(name, "loaded", "loaded")
        .statusCode(200)
        .body("added", equalTo(List.of(true, false)))
        .body("addedCount", equalTo(1));
    Api.add(name, "concurrent").statusCode(200).body("added", equalTo(List.of(true)));
    Api.test(name, "old", "loaded", "concurrent")
        .body("mightContain", equalTo(List.of(true, false, true)));
    commit(name, "{}")
        .statusCode(200)
        .body("name", equalTo(name))
        .body("expectedInsertions", equalTo(2000))
        .body("insertions", equalTo(2))
        .body("generation", equalTo(2))
        .body("rebuild", nullValue());
    Api.test(name, "old", "loaded", "concurrent")
        .body("mightContain", equalTo(List.of(false, true, true)));
  }

  @Test
  void everyFieldOfARebuildIsDescribed() {
    var before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    var name = Api.newFilter();
    var opened =
        open(name, "{\"timeoutSeconds\": 60, \"whenFull\": \"reject\"}").statusCode(201).extract();
    var view = (ObjectNode) Api.tree(rebuild(name).statusCode(200).extract().asString());
    assertEquals(opened.<String>path("id"), view.path("id").asText());
    assertTrue(view.remove("id").asText().matches("[0-9a-f]{16}"));
    var openedAt = Instant.parse(view.remove("openedAt").asText());
    assertFalse(openedAt.isBefore(before), "openedAt " + openedAt);
    var abandonedAt = Instant.parse(view.remove("abandonedAt").asText());
    assertFalse(abandonedAt.isBefore(before.plusSeconds(60)), "abandonedAt " + abandonedAt);
    assertFalse(abandonedAt.isAfter(Instant.now().plusSeconds(60)), "abandonedAt " + abandonedAt);
    var elapsed = view.remove("elapsedSeconds").asDouble();
    assertTrue(elapsed >= 0 && elapsed <= Duration.between(before, Instant.now()).toSeconds() + 1);
    var expected =
        """
        {
          "state": "open", "generation": 2, "timeoutSeconds": 60, "hashScheme": "bloomgate-1",
          "expectedInsertions": 1000, "falsePositiveProbability": 0.01, "bitSize": 9600,
          "numHashFunctions": 7, "segments": 1, "sizeBytes": 1200, "whenFull": "reject",
          "elementsReceived": 0, "insertions": 0, "bitsSet": 0, "fillRatio": 0.0,
          "approximateElementCount": 0, "estimatedFalsePositiveProbability": 0.0
        }
        """;
    assertEquals(Api.tree(expected), view);
  }

  @Test
  void theDescriptionOfTheFilterHasItsRebuild() {
    var name = Api.newFilter();
    var id = idOf(open(name, "{}"));
    load(name, "one", "two").statusCode(200);
    load(name, "two").statusCode(200);
    Api.add(name, "three").statusCode(200);
    Api.describe(name)
        .body("insertions", equalTo(1))
        .body("generation", equalTo(1))
        .body("rebuild.id", equalTo(id))
        .body("rebuild.elementsReceived", equalTo(3))
        .body("rebuild.insertions", equalTo(3))
        .body("rebuild.bitsSet", greaterThan(14));
    abort(name).statusCode(204);
    Api.describe(name).body("rebuild", nullValue()).body("insertions", equalTo(1));
  }

  @Test
  void withoutABodyTheDefaultsApply() {
    var name = Api.newFilter();
    var opened = given().noContentType().post(path(name)).then().statusCode(201);
    opened.body("timeoutSeconds", equalTo(3600));
    load(name, "one").statusCode(200);
    var committed = given().noContentType().post(path(name) + "/commit").then().statusCode(200);
    committed.body("generation", equalTo(2));
    open(name, "").statusCode(201);
    Api.refused(409, "REBUILD_EMPTY", commit(name, ""));
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
        .body("state", equalTo("open"));
    load(name, "one").statusCode(200);
    Api.add(name, "two").statusCode(200);
    commit(name, "{}").statusCode(200).body("bitSize", equalTo(bitSize));
    Api.test(name, "one", "two").body("mightContainCount", equalTo(2));
    Api.delete(name).statusCode(204);
  }

  @Test
  void elementsMayBeEncoded() {
    var name = Api.newFilter();
    open(name, "{}").statusCode(201);
    Api.post(name, "rebuild/add", Map.of("elements", List.of("616263"), "encoding", "hex"))
        .statusCode(200);
    commit(name, "{}").statusCode(200);
    Api.test(name, "abc").body("mightContainCount", equalTo(1));
  }

  @Test
  void theExpiryStaysUnlessTheCommitSetsAnother() {
    var name = Api.newFilter("{\"expectedInsertions\": 1000, \"ttlSeconds\": 3600}");
    String expiry = Api.describe(name).extract().path("expiresAt");
    String createdAt = Api.describe(name).extract().path("createdAt");
    open(name, "{}").statusCode(201);
    load(name, "a").statusCode(200);
    commit(name, "{}").body("expiresAt", equalTo(expiry)).body("createdAt", equalTo(createdAt));
    open(name, "{}").statusCode(201);
    load(name, "a").statusCode(200);
    var later = Instant.now().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.MILLIS).toString();
    commit(name, "{\"expiresAt\": \"" + later + "\"}").body("expiresAt", equalTo(later));
    Api.describe(name).body("expiresAt", equalTo(later));
  }

  @Test
  void aRebuildIsNotListedAsAFilter() {
    var name = Api.newFilter();
    open(name, "{}").statusCode(201);
    Api.list("prefix=" + name).body("filters.name", equalTo(List.of(name)));
  }

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
    Api.refused(404, "REBUILD_NOT_FOUND", commit(name, "{}"));
    Api.refused(404, "REBUILD_NOT_FOUND", abort(name));
    assertNoRebuild(Api.newName());
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
    rebuild(name).body("elementsReceived", equalTo(0));
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
    rebuild(name).body("elementsReceived", equalTo(taken)).body("insertions", equalTo(10));
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
    redis.run("HDEL", stateKey(name), "definition");
    Api.refused(410, "FILTER_DAMAGED", Api.post(name, "rebuild", "{}"));
  }

  @Test
  void aRebuildThatLostAKeyIsNotFound() {
    var name = Api.newFilter();
    open(name, "{}").statusCode(201);
    load(name, "a").statusCode(200);
    redis.run("DEL", stateKey(name) + ":next");
    assertNoRebuild(name);
    Api.refused(404, "REBUILD_NOT_FOUND", Api.post(name, "rebuild/commit", "{}"));
    Api.describe(name).statusCode(200).body("rebuild", nullValue());
    Api.add(name, "b").statusCode(200).body("addedCount", equalTo(1));
    open(name, "{}").statusCode(201);
  }

  @Test
  void aForeignKeyIsNamedAndLeftAlone() {
    var name = Api.newFilter();
    var key = stateKey(name) + ":next";
    redis.run("RPUSH", key, "theirs");
    Api.refused(409, "WRONG_KEY_TYPE", Api.post(name, "rebuild", "{}"))
        .body("detail", containsString(key));
    Api.add(name, "a").statusCode(200);
    Api.delete(name).statusCode(204);
    assertEquals("list", redis.run("TYPE", key).toString());
  }
}
