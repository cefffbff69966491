package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources of filters over HTTP: set, described, removed and run. */
@QuarkusTest
class SourceResourceTest extends FilterAndKeys {

  private static final Path FOLDER = Path.of("target/test-sources");

  @BeforeAll
  static void makeFolder() throws IOException {
    Files.createDirectories(FOLDER);
  }

  private static String path(String name) {
    return Api.FILTERS + name + "/source";
  }

  static ValidatableResponse source(String name) {
    return given().get(path(name)).then();
  }

  private static ValidatableResponse run(String name) {
    return given().post(Api.FILTERS + name + "/rebuild/run").then();
  }

  @Test
  void aFilterMayHaveNoSource() {
    var name = Api.newFilter();
    Api.describe(name).body("source", nullValue());
    Api.refused(404, "SOURCE_NOT_FOUND", source(name));
    Api.refused(404, "SOURCE_NOT_FOUND", Api.delete(name + "/source"));
    Api.refused(404, "SOURCE_NOT_FOUND", run(name));
  }

  @Test
  void aSourceIsSetDescribedAndRemoved() {
    var name = Api.newFilter();
    Api.source(name, "{\"redisKey\": \"users:ids\", \"schedule\": {\"cron\": \"0 3 * * *\"}}")
        .statusCode(200)
        .body("redisKey", equalTo("users:ids"))
        .body("schedule.cron", equalTo("0 3 * * *"))
        .body("schedule.timeZone", equalTo("UTC"))
        .body("allowEmpty", equalTo(false))
        .body("nextRunAt", containsString("T03:00:00Z"))
        .body("runningSince", nullValue())
        .body("lastRun", nullValue());
    var described = source(name).statusCode(200).extract().asString();
    assertEquals(
        source(name).extract().jsonPath().getMap("$"),
        Api.fields(name).getMap("source"),
        described);
    given().delete(path(name)).then().statusCode(204);
    source(name).statusCode(404);
  }

  @Test
  void aViewHasTheFieldsOfItsKindOnly() {
    var name = Api.newFilter();
    var always =
        Set.of(
            "schedule", "allowEmpty", "minShareOfLastRun", "nextRunAt", "runningSince", "lastRun");
    assertEquals(fields(always, "redisKey"), keys(Api.source(name, "{\"redisKey\": \"a\"}")));
    assertEquals(
        fields(always, "url", "format", "encoding"),
        keys(Api.source(name, "{\"url\": \"https://lists.example.com/a\"}")));
    assertEquals(
        fields(always, "file", "format", "encoding"),
        keys(
            Api.source(
                name, "{\"file\": \"a\", \"format\": \"ndjson\", \"encoding\": \"base64\"}")));
    source(name).body("format", equalTo("ndjson")).body("encoding", equalTo("base64"));
  }

  private static Set<String> fields(Set<String> always, String... more) {
    var all = new TreeSet<>(always);
    all.addAll(Set.of(more));
    return all;
  }

  private static Set<String> keys(ValidatableResponse view) {
    Map<String, Object> fields = view.statusCode(200).extract().path("$");
    return new TreeSet<>(fields.keySet());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"redisKey\": \"a\", \"file\": \"b\"}",
        "{\"redisKey\": \"\"}",
        "{\"redisKey\": \"bloom:catalogue\"}",
        "{\"redisKey\": \"a\", \"format\": \"lines\"}",
        "{\"redisKey\": \"a\", \"encoding\": \"hex\"}",
        "{\"file\": \"../secret\"}",
        "{\"file\": \"/etc/passwd\"}",
        "{\"url\": \"https://other.example.com/a\"}",
        "{\"url\": \"http://lists.example.com/a\"}",
        "{\"url\": \"file:///etc/passwd\"}",
        "{\"redisKey\": \"a\", \"schedule\": {}}",
        "{\"redisKey\": \"a\", \"schedule\": {\"timeZone\": \"UTC\"}}",
        "{\"redisKey\": \"a\", \"schedule\": {\"everySeconds\": 60, \"timeZone\": \"UTC\"}}",
        "{\"redisKey\": \"a\", \"schedule\": {\"everySeconds\": 60, \"cron\": \"* * * * *\"}}",
        "{\"redisKey\": \"a\", \"schedule\": {\"cron\": \"0 3 * *\"}}",
        "{\"redisKey\": \"a\", \"schedule\": {\"cron\": \"0 3 * * *\", \"timeZone\": \"x\"}}",
      })
  void invalidSourcesAreRefusedAndChangeNothing(String body) {
    var name = Api.newFilter();
    Api.source(name, "{\"redisKey\": \"kept\"}").statusCode(200);
    Api.source(name, body).statusCode(400).body("code", equalTo("INVALID_REQUEST"));
    source(name).body("redisKey", equalTo("kept"));
  }

  @Test
  void aRunReplacesTheContent() {
    var name = Api.newFilter();
    Api.add(name, "old").statusCode(200);
    redis.run("SADD", "set-of-" + name, "a", "b", "c");
    Api.source(name, "{\"redisKey\": \"set-of-" + name + "\"}").statusCode(200);

    runAndWait(name)
        .statusCode(200)
        .body("runningSince", nullValue())
        .body("lastRun.result", equalTo("ok"))
        .body("lastRun.elements", equalTo(3))
        .body("lastRun.durationSeconds", greaterThanOrEqualTo(0f))
        .body("lastRun.startedAt", notNullValue())
        .body("lastRun.finishedAt", notNullValue())
        .body("lastRun.error", nullValue());

    Api.test(name, "a", "b", "c", "old").body("mightContainCount", equalTo(3));
    Api.describe(name)
        .body("generation", equalTo(2))
        .body("rebuild", nullValue())
        .body("source.lastRun.elements", equalTo(3));
  }

  @Test
  void aRunContinuesAfterItsResponse() {
    var name = Api.newFilter();
    redis.run("RPUSH", "list-of-" + name, "a", "b");
    Api.source(name, "{\"redisKey\": \"list-of-" + name + "\"}").statusCode(200);
    run(name).statusCode(202).body("redisKey", equalTo("list-of-" + name));
    Awaitility.await().untilAsserted(() -> source(name).body("lastRun.result", equalTo("ok")));
    Api.test(name, "a", "b").body("mightContainCount", equalTo(2));
  }

  @Test
  void aFailedRunReportsWhyAndKeepsTheContent() throws IOException {
    var name = Api.newFilter();
    Api.add(name, "live").statusCode(200);
    var file = name + ".txt";
    Files.writeString(FOLDER.resolve(file), "61\nsecret-line\n62\n");
    Api.source(name, "{\"file\": \"" + file + "\", \"encoding\": \"hex\"}").statusCode(200);

    Api.refused(502, "SOURCE_UNREADABLE", runAndWait(name))
        .body("detail", containsString("Line 2 "))
        .body("detail", not(containsString("secret")));

    source(name)
        .body("lastRun.result", equalTo("failed"))
        .body("lastRun.error.code", equalTo("SOURCE_UNREADABLE"))
        .body("lastRun.error.detail", containsString("Line 2 "));
    Api.test(name, "live").body("mightContainCount", equalTo(1));
    Api.describe(name).body("generation", equalTo(1)).body("rebuild", nullValue());
  }

  @Test
  void aSourceMayRequireASize() throws IOException {
    var name = Api.newFilter();
    Api.add(name, "live").statusCode(200);
    Files.writeString(FOLDER.resolve(name), "please\nlog in\n");
    Api.source(name, "{\"file\": \"" + name + "\", \"minElements\": 3, \"minShareOfLastRun\": 0.5}")
        .statusCode(200)
        .body("minElements", equalTo(3))
        .body("minShareOfLastRun", equalTo(0.5f));
    runAndWait(name).statusCode(409).body("code", equalTo("REBUILD_TOO_SMALL"));
    Api.test(name, "live").body("mightContainCount", equalTo(1));
    Api.source(name, "{\"file\": \"" + name + "\", \"minShareOfLastRun\": 1.1}").statusCode(400);
    Api.source(name, "{\"file\": \"" + name + "\", \"minElements\": -1}").statusCode(400);
  }

  /** The server of a list has an excuse instead of it. */
  @Test
  void aSourceMayNotLoseHalfOfItsElementsUnlessThatIsAllowed() throws IOException {
    var name = Api.newFilter();
    var file = FOLDER.resolve(name);
    var lines = IntStream.range(0, 100).mapToObj(Integer::toString).toList();
    Api.source(name, "{\"file\": \"" + name + "\"}").body("minShareOfLastRun", equalTo(0.5f));
    Files.write(file, lines);
    runAndWait(name).statusCode(200);
    Files.writeString(file, "We are sorry.\n".repeat(10));
    runAndWait(name).statusCode(409).body("code", equalTo("REBUILD_TOO_SMALL"));
    Api.test(name, "99").body("mightContainCount", equalTo(1));

    for (var allowed : List.of("\"minShareOfLastRun\": 0", "\"allowEmpty\": true")) {
      Api.source(name, "{\"file\": \"" + name + "\", " + allowed + "}")
          .body("minShareOfLastRun", equalTo(0f));
      Files.write(file, lines);
      runAndWait(name).statusCode(200);
      Files.write(file, lines.subList(0, 1));
      runAndWait(name).statusCode(200);
    }
  }

  /**
   * A program that sends an unchanged source again must not lose the protection by the last run.
   */
  @Test
  void onlyAChangedSourceResetsItsLastRun() throws IOException {
    var name = Api.newFilter();
    var source = "{\"file\": \"" + name + "\", \"minShareOfLastRun\": %s}";
    Files.writeString(FOLDER.resolve(name), "a\nb\nc\nd\n");
    Api.source(name, source.formatted("0.5")).statusCode(200);
    runAndWait(name).statusCode(200).body("lastRun.elements", equalTo(4));
    Files.writeString(FOLDER.resolve(name), "a\n");
    Api.source(name, source.formatted("0.50")).statusCode(200);
    runAndWait(name).statusCode(409).body("code", equalTo("REBUILD_TOO_SMALL"));

    Api.source(name, source.formatted("0.6")).statusCode(200);
    runAndWait(name).statusCode(200).body("lastRun.elements", equalTo(1));
  }

  @Test
  void aDueSourceIsReadAutomatically() {
    var name = Api.newFilter();
    redis.run("SADD", "set-of-" + name, "a");
    Api.source(
            name, "{\"redisKey\": \"set-of-" + name + "\", \"schedule\": {\"everySeconds\": 3600}}")
        .statusCode(200)
        .body("schedule.everySeconds", equalTo(3600));
    var due = Instant.parse(source(name).extract().path("nextRunAt"));
    assertTrue(Duration.between(Instant.now(), due).toMinutes() >= 58, due.toString());
    // Simulates that the hour has passed.
    redis.run("HSET", stateKey(name) + ":source", "nextRunAt", "1");
    redis.run("ZADD", "bloom:{=names}:agenda", "1", name);
    Awaitility.await().untilAsserted(() -> source(name).body("lastRun.result", equalTo("ok")));
    var next = Instant.parse(source(name).extract().path("nextRunAt"));
    assertTrue(next.isAfter(due.minusSeconds(60)), next + " after " + due);
    Api.test(name, "a").body("mightContainCount", equalTo(1));
  }

  @Test
  void aDamagedSourceDoesNotAffectItsFilter() {
    var name = Api.newFilter();
    Api.source(name, "{\"redisKey\": \"set-of-" + name + "\"}").statusCode(200);
    redis.run("HSET", stateKey(name) + ":source", "source", "{");
    source(name).statusCode(410);
    Api.describe(name).statusCode(200).body("state", equalTo("ready"));
    Api.list("figures=true&prefix=" + name)
        .body("filters[0].state", equalTo("ready"))
        .body("filters[0].figures.insertions", equalTo(0));
  }

  @Test
  void runsAreCounted() {
    var name = Api.newFilter();
    redis.run("SADD", "set-of-" + name, "a", "b");
    Api.source(name, "{\"redisKey\": \"set-of-" + name + "\"}").statusCode(200);
    var before = Api.metric("bloom_source_run_seconds_count{result=\"ok\",}");
    var elementsBefore = Api.metric("bloom_source_elements_total");
    runAndWait(name).statusCode(200);
    assertTrue(Api.metric("bloom_source_run_seconds_count{result=\"ok\",}") >= before + 1);
    assertTrue(Api.metric("bloom_source_elements_total") >= elementsBefore + 2);
    var failedBefore = Api.metric("bloom_source_run_seconds_count{result=\"failed\",}");
    Api.source(name, "{\"redisKey\": \"missing-" + name + "\"}").statusCode(200);
    runAndWait(name).statusCode(502);
    assertTrue(
        Api.metric("bloom_source_run_seconds_count{result=\"failed\",}") >= failedBefore + 1);
  }

  private static ValidatableResponse runAndWait(String name) {
    return given().post(Api.FILTERS + name + "/rebuild/run?wait=true").then();
  }
}
