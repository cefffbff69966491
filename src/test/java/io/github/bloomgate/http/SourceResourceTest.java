package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources of filters over HTTP: set, described, removed. */
@QuarkusTest
class SourceResourceTest extends SourceRequests {

  @Test
  void aFilterMayHaveNoSource() {
    var name = Api.newFilter();
    Api.describe(name).body("source", nullValue());
    source(name).statusCode(404).body("code", equalTo("SOURCE_NOT_FOUND"));
    given().delete(path(name)).then().statusCode(404).body("code", equalTo("SOURCE_NOT_FOUND"));
    run(name).statusCode(404).body("code", equalTo("SOURCE_NOT_FOUND"));
  }

  @Test
  void withoutAFilterThereIsNoSource() {
    var name = Api.newName();
    put(name, "{\"redisKey\": \"a\"}").statusCode(404).body("code", equalTo("FILTER_NOT_FOUND"));
    source(name).statusCode(404).body("code", equalTo("FILTER_NOT_FOUND"));
    run(name).statusCode(404).body("code", equalTo("FILTER_NOT_FOUND"));
  }

  @Test
  void aSourceIsSetDescribedAndRemoved() {
    var name = Api.newFilter();
    put(name, "{\"redisKey\": \"users:ids\", \"schedule\": {\"cron\": \"0 3 * * *\"}}")
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
    var always = Set.of("schedule", "allowEmpty", "nextRunAt", "runningSince", "lastRun");
    assertEquals(fields(always, "redisKey"), keys(put(name, "{\"redisKey\": \"a\"}")));
    assertEquals(
        fields(always, "url", "format", "encoding"),
        keys(put(name, "{\"url\": \"https://lists.example.com/a\"}")));
    assertEquals(
        fields(always, "file", "format", "encoding"),
        keys(put(name, "{\"file\": \"a\", \"format\": \"ndjson\", \"encoding\": \"base64\"}")));
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
    put(name, "{\"redisKey\": \"kept\"}").statusCode(200);
    put(name, body).statusCode(400).body("code", equalTo("INVALID_REQUEST"));
    source(name).body("redisKey", equalTo("kept"));
  }
}
