package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.LogRecords;
import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Elements stay private: whatever the outcome of a request, no log record and no metric contains
 * one.
 */
@QuarkusTest
class PrivacyTest {

  private static final String SECRET = "secret-7c1f02";

  private static final int TOO_LONG = 65_536;
  private static final String HEX =
      HexFormat.of().formatHex(SECRET.getBytes(StandardCharsets.UTF_8));
  private static final String BASE64 =
      Base64.getEncoder().encodeToString(SECRET.getBytes(StandardCharsets.UTF_8));

  @Inject RawRedis redis;

  @Test
  void noLogRecordNoMetricAndNoAnswerHoldsAnElement() {
    try (var records = LogRecords.ofAll()) {
      useTheSecretInEveryWay();
      assertTrue(
          records.seen().stream().anyMatch(record -> record.contains("reated filter")),
          "the handler must see what the service logs");
      records.seen().forEach(PrivacyTest::assertPrivate);
    }
    assertPrivate(given().get("/q/metrics").then().statusCode(200).extract().asString());
  }

  private void useTheSecretInEveryWay() {
    var name = Api.newFilter("{\"expectedInsertions\": 1, \"whenFull\": \"reject\"}");
    Api.add(name, SECRET).statusCode(200);
    Api.test(name, SECRET).statusCode(200);
    Api.testByUrl(name, "element=" + SECRET).statusCode(200);
    Api.testEncoded(name, "hex", List.of(HEX)).statusCode(200);
    Api.testEncoded(name, "base64", List.of(BASE64)).statusCode(200);
    given().get("/v1/gate/" + name + "?element=" + SECRET).then().statusCode(204);
    Api.add(name, SECRET + "2").statusCode(409);
    for (var body :
        List.of(
            "{\"elements\": \"" + SECRET + "\"}",
            "{\"elements\": [\"" + SECRET + "\"",
            "{\"elements\": [\"" + SECRET + "\\q\"]}",
            "{\"elements\": [" + SECRET + "]}",
            "{\"elements\": [\"" + SECRET + "\"], \"encoding\": \"hex\"}",
            "{\"elements\": [\"" + SECRET + "\"], \"encoding\": \"" + SECRET + "\"}",
            "{\"elements\": [{\"" + SECRET + "\": 1}]}",
            "{\"elements\": [\"" + SECRET.repeat(6000) + "\"]}",
            "\"" + SECRET + "\"",
            SECRET)) {
      assertPrivateRefusal(body, Api.post(name, "add", body).extract().response());
      assertPrivateRefusal(body, Api.post(name, "test", body).extract().response());
    }
    for (var query :
        List.of(
            "element=" + SECRET + "&encoding=hex",
            "element=" + SECRET + "&encoding=" + SECRET,
            "element=" + SECRET + "&element=" + SECRET + "&" + SECRET + "=1")) {
      assertPrivateRefusal(query, Api.raw().get(Api.FILTERS + name + "/test?" + query));
      assertPrivateRefusal(query, Api.raw().get("/v1/gate/" + name + "?" + query));
    }
    streamTheSecret(name);
    replaceByTheSecret();
    var segment = Api.fields(name).getString("redisKey");
    redis.run("DEL", segment);
    assertEquals(410, Api.add(name, SECRET).extract().statusCode());
    redis.run("SET", segment, SECRET);
    assertEquals(410, Api.test(name, SECRET).extract().statusCode());
    redis.run("SET", "bloom:{" + name + "}", SECRET);
    assertEquals(409, Api.add(name, SECRET).extract().statusCode());
    given().get(FailingPaths.PATH + "?element=" + SECRET).then().statusCode(500);
  }

  private static void streamTheSecret(String name) {
    for (var line :
        List.of(SECRET, "\"" + SECRET + "\\q\"", "{\"" + SECRET + "\": 1}", HEX + "x")) {
      for (var operation : List.of("add", "test")) {
        for (var returned : List.of("summary", "flags")) {
          var target = Api.FILTERS + name + "/" + operation + "?return=" + returned;
          assertPrivateRefusal(line, Api.lines("application/x-ndjson", line).post(target));
          assertPrivateRefusal(line, Api.lines("text/plain", line).post(target + "&encoding=hex"));
          var tooLong = SECRET.repeat(6000);
          assertPrivateRefusal(tooLong, Api.lines("text/plain", tooLong).post(target));
          assertPrivateRefusal(line, Api.lines("text/plain", line).post(target + "&x=" + SECRET));
        }
      }
    }
    Api.lines("text/plain", SECRET).post(Api.FILTERS + name + "/test").then().statusCode(200);
    var full = Api.lines("text/plain", SECRET + "3").post(Api.FILTERS + name + "/add");
    assertEquals(409, full.statusCode());
    assertPrivate(full.asString());
  }

  private void replaceByTheSecret() {
    var name = Api.newFilter();
    for (var line : List.of(SECRET, "\"" + SECRET + "\\q\"", "{\"" + SECRET + "\": 1}")) {
      var lines = Api.lines("application/x-ndjson", "\"" + SECRET + "\"\n" + line);
      assertPrivateRefusal(line, lines.put(Api.FILTERS + name + "/elements"));
      Api.post(name, "rebuild", "{}").statusCode(201);
      assertPrivateRefusal(line, lines.post(Api.FILTERS + name + "/rebuild/add"));
      Api.delete(name + "/rebuild").statusCode(204);
    }
    var file = SECRET.repeat(100).getBytes(StandardCharsets.UTF_8);
    assertPrivate(Api.load(name, "", file).statusCode(422).extract().asString());
    // A source whose second member is too long for an element.
    redis.run("RPUSH", name + ":source", SECRET, SECRET.repeat(6000));
    Api.source(name, Map.of("redisKey", name + ":source")).statusCode(200);
    var run = given().post(Api.FILTERS + name + "/rebuild/run?wait=true");
    assertEquals(502, run.statusCode(), run.asString());
    assertPrivate(run.asString());
    assertPrivate(Api.description(name));
  }

  private static void assertPrivateRefusal(String request, Response answer) {
    // Text that is too long exceeds a limit, and any other text is invalid.
    assertEquals(request.length() > TOO_LONG ? 422 : 400, answer.statusCode());
    assertPrivate(answer.asString());
  }

  private static void assertPrivate(String text) {
    for (var secret : List.of(SECRET, HEX, BASE64)) {
      assertFalse(text.contains(secret), text);
    }
  }
}
