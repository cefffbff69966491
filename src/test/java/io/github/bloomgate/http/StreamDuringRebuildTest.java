package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.RawResponse;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams over HTTP that last longer than the opening of a rebuild. */
@QuarkusTest
class StreamDuringRebuildTest {

  private static final String LARGE = "{\"expectedInsertions\": 100000}";
  private static final int EARLY = 20_000;

  @ParameterizedTest
  @ValueSource(strings = {"", "late\n"})
  void aStreamReportsLinesThatMayBeMissing(String late) throws Exception {
    var name = Api.newFilter(LARGE);
    try (var stream = Conversation.open(name + "/add")) {
      send(stream, name);
      open(name);
      if (!late.isEmpty()) {
        stream.send(late);
      }
      stream.finish();
      assertRefusedSafely(stream.receiveWhole());
    }
    sendAgain(name, early() + late);
    commit(name);
    assertNoneAbsent(name, early() + late);
  }

  @Test
  void aCommitDuringAStreamIsReportedToo() throws Exception {
    var name = Api.newFilter(LARGE);
    try (var stream = Conversation.open(name + "/add")) {
      send(stream, name);
      open(name);
      commit(name);
      stream.send("late\n");
      stream.finish();
      assertRefusedSafely(stream.receiveWhole());
    }
    sendAgain(name, early());
    assertNoneAbsent(name, early());
  }

  @Test
  void aFailedStreamReportsTheOpenedRebuildFirst() throws Exception {
    var name = Api.newFilter(LARGE);
    try (var stream = Conversation.open(name + "/add")) {
      send(stream, name);
      open(name);
      stream.send("late\n" + "x".repeat(70_000) + "\n");
      stream.finish();
      assertRefusedSafely(stream.receiveWhole());
    }
    sendAgain(name, early());
    commit(name);
    assertNoneAbsent(name, early());
  }

  private static void assertRefusedSafely(RawResponse answer) {
    var problem = RawHttp.refused(409, "FILTER_CHANGED", answer);
    assertTrue(problem.path("detail").asText().contains("Lines 1 to "), answer.text());
  }

  private static void sendAgain(String name, String lines) {
    given()
        .contentType("text/plain; charset=utf-8")
        .body(lines)
        .post(Api.FILTERS + name + "/add")
        .then()
        .statusCode(200);
  }

  private static void send(Conversation stream, String name) throws Exception {
    stream.send(early());
    Awaitility.await().until(() -> Api.fields(name).getInt("insertions") > 0.99 * EARLY);
  }

  private static String early() {
    return IntStream.range(0, EARLY)
        .mapToObj("the early one of number %d\n"::formatted)
        .collect(Collectors.joining());
  }

  private static void open(String name) {
    Api.post(name, "rebuild", Map.of()).statusCode(201).body("state", equalTo("open"));
  }

  private static void commit(String name) {
    Api.post(name, "rebuild/commit", Map.of("allowEmpty", true)).statusCode(200);
  }

  private static void assertNoneAbsent(String name, String lines) {
    assertEquals(
        "",
        given()
            .contentType("text/plain; charset=utf-8")
            .body(lines)
            .post(Api.FILTERS + name + "/test?return=absent")
            .then()
            .statusCode(200)
            .extract()
            .asString());
  }
}
