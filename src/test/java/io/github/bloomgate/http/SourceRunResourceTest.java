package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Runs of sources over HTTP. */
@QuarkusTest
class SourceRunResourceTest extends SourceRequests {

  @Inject RawRedis redis;

  @Test
  void aRunReplacesTheContent() {
    var name = Api.newFilter();
    Api.add(name, "old").statusCode(200);
    redis.run("SADD", "set-of-" + name, "a", "b", "c");
    put(name, "{\"redisKey\": \"set-of-" + name + "\"}").statusCode(200);

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
    put(name, "{\"redisKey\": \"list-of-" + name + "\"}").statusCode(200);
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
    put(name, "{\"file\": \"" + file + "\", \"encoding\": \"hex\"}").statusCode(200);

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
    Files.writeString(FOLDER.resolve(name), "<html>\nlog in\n");
    put(name, "{\"file\": \"" + name + "\", \"minElements\": 3, \"minShareOfLastRun\": 0.5}")
        .statusCode(200)
        .body("minElements", equalTo(3))
        .body("minShareOfLastRun", equalTo(0.5f));
    runAndWait(name).statusCode(409).body("code", equalTo("REBUILD_TOO_SMALL"));
    Api.test(name, "live").body("mightContainCount", equalTo(1));
    put(name, "{\"file\": \"" + name + "\", \"minShareOfLastRun\": 1.1}").statusCode(400);
    put(name, "{\"file\": \"" + name + "\", \"minElements\": -1}").statusCode(400);
  }

  /**
   * A program that sends an unchanged source again must not lose the protection by the last run.
   */
  @Test
  void onlyAChangedSourceResetsItsLastRun() throws IOException {
    var name = Api.newFilter();
    var source = "{\"file\": \"" + name + "\", \"minShareOfLastRun\": %s}";
    Files.writeString(FOLDER.resolve(name), "a\nb\nc\nd\n");
    put(name, source.formatted("0.5")).statusCode(200);
    runAndWait(name).statusCode(200).body("lastRun.elements", equalTo(4));
    Files.writeString(FOLDER.resolve(name), "a\n");
    put(name, source.formatted("0.50")).statusCode(200);
    runAndWait(name).statusCode(409).body("code", equalTo("REBUILD_TOO_SMALL"));

    put(name, source.formatted("0.6")).statusCode(200);
    runAndWait(name).statusCode(200).body("lastRun.elements", equalTo(1));
  }

  @Test
  void aDueSourceIsReadAutomatically() {
    var name = Api.newFilter();
    redis.run("SADD", "set-of-" + name, "a");
    put(name, "{\"redisKey\": \"set-of-" + name + "\", \"schedule\": {\"everySeconds\": 3600}}")
        .statusCode(200)
        .body("schedule.everySeconds", equalTo(3600));
    var due = Instant.parse(source(name).extract().path("nextRunAt"));
    assertTrue(Duration.between(Instant.now(), due).toMinutes() >= 58, due.toString());
    // Simulates that the hour has passed.
    redis.run("HSET", "bloom:{" + name + "}:source", "nextRunAt", "1");
    redis.run("ZADD", "bloom:{=names}:agenda", "1", name);
    Awaitility.await().untilAsserted(() -> source(name).body("lastRun.result", equalTo("ok")));
    var next = Instant.parse(source(name).extract().path("nextRunAt"));
    assertTrue(next.isAfter(due.minusSeconds(60)), next + " after " + due);
    Api.test(name, "a").body("mightContainCount", equalTo(1));
  }

  @Test
  void runsAreCounted() {
    var name = Api.newFilter();
    redis.run("SADD", "set-of-" + name, "a", "b");
    put(name, "{\"redisKey\": \"set-of-" + name + "\"}").statusCode(200);
    var before = Api.metric("bloom_source_run_seconds_count{result=\"ok\",}");
    var elementsBefore = Api.metric("bloom_source_elements_total");
    runAndWait(name).statusCode(200);
    assertTrue(Api.metric("bloom_source_run_seconds_count{result=\"ok\",}") >= before + 1);
    assertTrue(Api.metric("bloom_source_elements_total") >= elementsBefore + 2);
    var failedBefore = Api.metric("bloom_source_run_seconds_count{result=\"failed\",}");
    put(name, "{\"redisKey\": \"missing-" + name + "\"}").statusCode(200);
    runAndWait(name).statusCode(502);
    assertTrue(
        Api.metric("bloom_source_run_seconds_count{result=\"failed\",}") >= failedBefore + 1);
  }

  private static ValidatableResponse runAndWait(String name) {
    return given().post(Api.FILTERS + name + "/rebuild/run?wait=true").then();
  }
}
