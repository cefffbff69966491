package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.LogRecords;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that disconnect during a response do not cause defects or alarms. */
@QuarkusTest
class ClientGoneTest {

  /** More than the sockets buffer. */
  private static final int MANY = 16 << 20;

  private static final int CONNECTIONS = 20;

  private static final int RESETS = 50;

  private LogRecords log;
  private List<String> failuresBefore;

  @BeforeEach
  void listen() {
    log = LogRecords.ofAll();
    failuresBefore = failures();
  }

  @AfterEach
  void stop() {
    log.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "add?interleave=true&return=flags",
        "add?interleave=true&return=known",
        "test?interleave=true&return=flags"
      })
  void aClientThatStopsReadingWhileSendingIsNotLogged(String target) throws Exception {
    var name = Api.newFilter();
    try (var stream = Conversation.open(name + "/" + target)) {
      stream.send("a\na\n");
      stream.receive();
      stream.sendUntilStuck("\n".repeat(1 << 20), MANY);
    }
    assertNoAlarm();
  }

  @Test
  void aClientThatNeverReadsIsNotLogged() throws Exception {
    var name = Api.newFilter();
    try (var stream = Conversation.open(name + "/test?return=flags")) {
      for (var sent = 0; sent < 2 << 20; sent += 1 << 18) {
        stream.send("\n".repeat(1 << 18));
      }
      stream.finish();
      stream.awaitHead();
    }
    assertNoAlarm();
  }

  @ParameterizedTest
  @ValueSource(strings = {"add", "add?return=flags", "test?interleave=true&return=absent"})
  void aClientThatSendsHalfIsNotLogged(String target) throws Exception {
    var name = Api.newFilter();
    try (var stream = Conversation.open(name + "/" + target)) {
      stream.send("a\nb\nhalf");
      if (target.contains("interleave")) {
        stream.receive();
      }
    }
    assertNoAlarm();
  }

  /** The reset may come at any moment of the export, including its end. */
  @Test
  void aResetExportReleasesEverything() {
    var name = Api.newFilter();
    var resets = 0;
    for (var connection = 0; connection < CONNECTIONS; connection++) {
      try (var streams = Http2Streams.open()) {
        for (var i = 0; i < RESETS; i++) {
          streams.reset(Api.FILTERS + name + "/export");
          resets++;
        }
      } catch (CompletionException closed) {
        // The server may close a connection that resets many streams. That ends its requests too.
      }
    }
    assertTrue(resets > CONNECTIONS * RESETS / 2, resets + " resets");
    Api.awaitNoStream();
  }

  @Test
  void aResetReplacementKeepsTheContent() {
    var name = Api.newFilter();
    resetHalf("PUT", name + "/elements?allowEmpty=true", "text/plain", "a\nb\nhalf");
    given().get(Api.FILTERS + name).then().body("generation", equalTo(1));
    assertNoAlarm();
  }

  @Test
  void aResetCommitKeepsTheContent() {
    var name = Api.newFilter();
    Api.json("{}").post(Api.FILTERS + name + "/rebuild").then().statusCode(201);
    Api.json("{\"elements\": [\"a\"]}").post(Api.FILTERS + name + "/rebuild/add");
    resetHalf("POST", name + "/rebuild/commit", "application/json", "{\"minElements\": 2");
    given().get(Api.FILTERS + name).then().body("generation", equalTo(1));
    assertNoAlarm();
  }

  /** The resets may arrive before, while or after the first half is read. */
  private static void resetHalf(String method, String target, String type, String half) {
    for (var connection = 0; connection < CONNECTIONS; connection++) {
      try (var streams = Http2Streams.open()) {
        for (var i = 0; i < RESETS; i++) {
          streams.resetHalf(method, Api.FILTERS + target, type, half);
        }
      }
      // With those of the next connection there could be more streams than the service runs.
      Api.awaitNoStream();
    }
  }

  private void assertNoAlarm() {
    Api.awaitNoStream();
    // When the next request is answered, everything about the stream has been logged.
    Api.newFilter();
    assertEquals(
        List.of(),
        log.seen().stream()
            .filter(line -> line.contains("failed") || line.contains("\tat "))
            .toList());
    assertEquals(failuresBefore, failures());
  }

  private static List<String> failures() {
    return given()
        .get("/q/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith("http_server_requests_seconds_count"))
        .filter(line -> line.contains("status=\"5"))
        .toList();
  }
}
