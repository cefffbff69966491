package io.github.bloomgate.http.access;

import static io.github.bloomgate.http.access.TestKeys.ADMIN;
import static io.github.bloomgate.http.access.TestKeys.LIMITED;
import static io.github.bloomgate.http.access.TestKeys.PREFIX;
import static io.github.bloomgate.http.access.TestKeys.READER;
import static io.github.bloomgate.http.access.TestKeys.WRITER;
import static io.github.bloomgate.http.access.TestKeys.newFilter;
import static io.github.bloomgate.http.access.TestKeys.with;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** One client leaves enough memory for others. */
@Isolated("it uses most of the memory and streams of all clients")
@QuarkusTest
@TestProfile(TestKeys.class)
@Tag("slow")
class ClientSharesTest {

  private static final int MAX_STREAMS = 64;

  /** More than any socket buffers. */
  private static final String LARGE = "{\"bitSize\": 402653184, \"numHashFunctions\": 3}";

  private static final String LONG_ELEMENT = "{\"elements\": [\"" + "a".repeat(60_000) + "\"]}";

  @Inject MemoryBudget memory;

  private final List<Socket> sockets = new ArrayList<>();

  @BeforeEach
  void awaitNothingHeld() {
    Awaitility.await().until(() -> memory.taken(Use.BODIES) == 0 && memory.taken(Use.STREAMS) == 0);
  }

  @AfterEach
  void closeAll() throws IOException {
    for (var socket : sockets) {
      socket.close();
    }
    awaitNothingHeld();
  }

  @Test
  void declaredBodiesTakeNoMemory() throws IOException {
    var filter = newFilter();
    for (var length : List.of(16_700_000, 4_000_000, 120_000, 15_000, 7_000, 3_000)) {
      send(post(READER, filter, "test", "application/json", "Content-Length: " + length) + "{");
    }
    Awaitility.await().until(() -> memory.taken(Use.BODIES) > 0);
    assertTrue(memory.taken(Use.BODIES) < 100_000, memory.taken(Use.BODIES) + " bytes");
    TestKeys.post(WRITER, filter, "add", LONG_ELEMENT)
        .statusCode(200)
        .body("added[0]", equalTo(true));
  }

  @Test
  void aKeyWithItsWholeShareIsRefusedAndAnotherIsNot() {
    var filter = newFilter();
    var held = memory.hold(Use.BODIES, "reader");
    try {
      assertTrue(held.grow(memory.most() / 2));
      Api.refused(503, "OVERLOADED", TestKeys.post(READER, filter, "test", LONG_ELEMENT));
      TestKeys.post(WRITER, filter, "test", LONG_ELEMENT).statusCode(200);
    } finally {
      held.close();
    }
    TestKeys.post(READER, filter, "test", LONG_ELEMENT).statusCode(200);
  }

  @Test
  void aKeyWhoseResponsesAreNotReadIsRefusedBeforeAnythingIsDone() {
    var filter = newFilter();
    var held = memory.hold(Use.ANSWERS, "writer");
    try {
      assertTrue(held.grow(memory.most() / 2));
      Api.refused(503, "OVERLOADED", TestKeys.post(WRITER, filter, "add", LONG_ELEMENT))
          .header("Retry-After", equalTo("1"));
      TestKeys.post(READER, filter, "test", LONG_ELEMENT)
          .statusCode(200)
          .body("mightContainCount", equalTo(0));
    } finally {
      held.close();
    }
    TestKeys.post(WRITER, filter, "add", LONG_ELEMENT).statusCode(200);
  }

  @Test
  void streamsOfAKeyLeaveRoomForOtherKeys() throws IOException {
    var filter = newFilter();
    for (var i = 0; i < MAX_STREAMS; i++) {
      send(post(READER, filter, "test", "text/plain", "Transfer-Encoding: chunked"));
    }
    Awaitility.await()
        .untilAsserted(
            () ->
                lines(READER, filter)
                    .statusCode(503)
                    .body("code", equalTo("TOO_MANY_STREAMS"))
                    .body("detail", containsString("key 'reader'")));
    lines(WRITER, filter).statusCode(200).body("received", equalTo(1));
  }

  private static ValidatableResponse lines(String key, String filter) {
    return with(key)
        .contentType("text/plain; charset=utf-8")
        .body("a\n")
        .post(Api.FILTERS + filter + "/test")
        .then();
  }

  @Test
  void unreadExportsLeaveRoomForOtherKeys() throws IOException {
    var large = Api.newName();
    TestKeys.put(ADMIN, large, LARGE).statusCode(201);
    var other = newFilter(PREFIX);
    for (var i = 0; i < MAX_STREAMS; i++) {
      send(
          "GET %s%s/export HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
              .formatted(Api.FILTERS, large, ADMIN));
    }
    // Each client has its response: some wait unread, others are refusals.
    for (var socket : sockets) {
      Awaitility.await().until(() -> socket.getInputStream().available() > 0);
    }
    with(LIMITED).get(Api.FILTERS + other + "/export").then().statusCode(200);
    with(ADMIN).delete(Api.FILTERS + large).then().statusCode(204);
  }

  private static String post(
      String key, String filter, String operation, String type, String length) {
    return "POST %s%s/%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\n%s\r\n\r\n"
        .formatted(Api.FILTERS, filter, operation, key, type, length);
  }

  private void send(String request) throws IOException {
    var socket = new Socket();
    sockets.add(socket);
    socket.setReceiveBufferSize(4096);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), RestAssured.port));
    socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
  }
}
