package io.github.bloomgate.http;

import static io.github.bloomgate.http.RawHttp.refused;
import static io.github.bloomgate.support.Bytes.utf8;
import static io.github.bloomgate.support.Bytes.zipped;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.RawResponse;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that replace the content of a filter or load its rebuild. */
@QuarkusTest
class ContentResourceTest extends LineStreams {

  @Test
  void aStreamReplacesTheContent() {
    for (var name : new String[] {Api.newFilter(), Api.newFilterOfTwoSegments()}) {
      Api.add(name, "old", "kept");
      var replaced = JsonPath.from(ok(replace(name, TEXT, "kept\nnew\r\n\nlast")));
      assertEquals(name, replaced.getString("name"));
      assertEquals(2, replaced.getInt("generation"));
      assertEquals(4, replaced.getInt("insertions"));
      assertNull(replaced.getString("rebuild"));
      Api.test(name, "kept", "new", "", "last", "old")
          .body("mightContain", equalTo(Arrays.asList(true, true, true, true, false)));
    }
  }

  @Test
  void ndjsonGzipAndEncodingsAreAccepted() throws IOException {
    var name = Api.newFilter();
    ok(replace(name, NDJSON, "\"a\\u0062\"\n\"c\""));
    Api.test(name, "ab", "c").body("mightContainCount", equalTo(2));
    ok(send("PUT", name, "elements?encoding=hex", TEXT + GZIP, zipped(utf8("6364\n"))));
    Api.test(name, "cd", "ab", "c").body("mightContainCount", equalTo(1));
  }

  @Test
  void theSizeAndTheExpiryMayChange() {
    var name = Api.newFilter("{\"expectedInsertions\": 1000, \"ttlSeconds\": 5000}");
    var expiry = Api.fields(name).getString("expiresAt");
    var kept = JsonPath.from(ok(replace(name, TEXT, "a")));
    assertEquals(expiry, kept.getString("expiresAt"));
    var larger = "expectedInsertions=3000000&falsePositiveProbability=0.001&ttlSeconds=900";
    var grown = JsonPath.from(ok(send("PUT", name, "elements?" + larger, TEXT, utf8("b"))));
    assertEquals(3_000_000, grown.getInt("expectedInsertions"));
    assertEquals(0.001, grown.getDouble("falsePositiveProbability"));
    assertEquals(3, grown.getInt("segments"));
    assertFalse(expiry.equals(grown.getString("expiresAt")));
    var created = grown.getString("createdAt");
    assertEquals(created, kept.getString("createdAt"));
  }

  @Test
  void fewerLinesThanRequiredReplaceNothing() {
    var name = Api.newFilter();
    Api.add(name, "old");
    var answer = send("PUT", name, "elements?minElements=3", TEXT, utf8("<html>\nLog in\n"));
    var problem = refused(409, "REBUILD_TOO_SMALL", answer);
    var detail = problem.path("detail").asText();
    assertTrue(detail.startsWith("2 elements ") && detail.contains("at least 3."), detail);
    unchanged(name);
    ok(send("PUT", name, "elements?minElements=3", TEXT, utf8("a\nb\nc\n")));
    Api.test(name, "a", "b", "c", "old").body("mightContainCount", equalTo(3));
  }

  @Test
  void emptyContentReplacesNothingWithoutAllowEmpty() {
    var name = Api.newFilter();
    Api.add(name, "old");
    refused(409, "REBUILD_EMPTY", replace(name, TEXT, ""));
    unchanged(name);
    var emptied = JsonPath.from(ok(send("PUT", name, "elements?allowEmpty=true", TEXT, utf8(""))));
    assertEquals(0, emptied.getInt("insertions"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5_000, 20_000})
  void anInvalidLineLeavesTheOldContent(int line) {
    for (var name : new String[] {Api.newFilter(), Api.newFilterOfTwoSegments()}) {
      Api.add(name, "old");
      var body =
          IntStream.rangeClosed(1, 20_000)
              .mapToObj(i -> i == line ? "{}\n" : "\"new-" + i + "\"\n")
              .reduce(new StringBuilder(), StringBuilder::append, StringBuilder::append);
      var problem = refused(400, "INVALID_REQUEST", replace(name, NDJSON, body.toString()));
      assertEquals(line, problem.path("line").asInt());
      assertTrue(problem.path("detail").asText().contains("keeps its content"), problem.toString());
      unchanged(name);
    }
  }

  @Test
  void aTruncatedStreamLeavesTheOldContent() throws IOException {
    var name = Api.newFilter();
    Api.add(name, "old");
    var zipped = zipped(utf8("new\n".repeat(1000)));
    var cut = Arrays.copyOf(zipped, zipped.length - 9);
    refused(400, "INVALID_REQUEST", send("PUT", name, "elements", TEXT + GZIP, cut));
    unchanged(name);
    try (var socket = new Socket("127.0.0.1", RestAssured.port)) {
      var head =
          "PUT %s%s/elements HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: 100000\r\n\r\nnew\n"
              .formatted(Api.FILTERS, name, TEXT);
      socket.getOutputStream().write(utf8(head));
      socket.getOutputStream().flush();
      Awaitility.await()
          .untilAsserted(() -> Api.describe(name).body("rebuild.elementsReceived", equalTo(1)));
    }
    Awaitility.await().until(() -> Api.fields(name).get("rebuild") == null);
    unchanged(name);
  }

  @Test
  void tooManyLinesLeaveTheOldContent() {
    var name = Api.newFilter("{\"expectedInsertions\": 2, \"whenFull\": \"reject\"}");
    Api.add(name, "old");
    var problem = refused(409, "FILTER_FULL", replace(name, TEXT, "a\nb\nc\n"));
    assertEquals(3, problem.path("line").asInt());
    unchanged(name);
  }

  @Test
  void invalidReplacementsAreRefused() {
    var name = Api.newFilter();
    Api.add(name, "old");
    refused(415, "UNSUPPORTED_FORMAT", replace(name, "Content-Type: text/csv\r\n", "a"));
    unchanged(name);
    Api.post(name, "rebuild", "{}").statusCode(201);
    refused(409, "REBUILD_IN_PROGRESS", replace(name, TEXT, "a"));
  }

  @Test
  void aRebuildIsLoadedFromAStream() {
    for (var name : new String[] {Api.newFilter(), Api.newFilterOfTwoSegments()}) {
      Api.add(name, "old");
      refused(404, "REBUILD_NOT_FOUND", send("POST", name, "rebuild/add", TEXT, utf8("a")));
      var id = Api.post(name, "rebuild", "{}").statusCode(201).extract().path("id");
      assertEquals(
          "{\"received\":3,\"addedCount\":2,\"knownCount\":1}\n",
          ok(send("POST", name, "rebuild/add?id=" + id, TEXT, utf8("a\nb\na"))));
      assertEquals(
          "c\n", ok(send("POST", name, "rebuild/add?return=added", TEXT, utf8("a\nc\nb\n"))));
      refused(404, "REBUILD_NOT_FOUND", send("POST", name, "rebuild/add?id=x", TEXT, utf8("a")));
      var invalid = send("POST", name, "rebuild/add", NDJSON, utf8("\"d\"\n{}"));
      var stopped = refused(400, "INVALID_REQUEST", invalid);
      assertEquals(2, stopped.path("line").asInt());
      assertEquals(1, stopped.path("appliedCount").asInt());
      Api.test(name, "a", "b", "c", "d").body("mightContainCount", equalTo(0));
      Api.describe(name).body("rebuild.elementsReceived", equalTo(7));
      Api.post(name, "rebuild/commit", "{}").statusCode(200).body("rebuild", nullValue());
      Api.test(name, "a", "b", "c", "d", "old").body("mightContainCount", equalTo(4));
    }
  }

  private static void unchanged(String name) {
    Api.describe(name)
        .body("generation", equalTo(1))
        .body("insertions", equalTo(1))
        .body("rebuild", nullValue());
    Api.test(name, "old").body("mightContainCount", equalTo(1));
  }

  private static RawResponse replace(String name, String headers, String body) {
    return send("PUT", name, "elements", headers, utf8(body));
  }
}
