package io.github.bloomgate.http;

import static io.github.bloomgate.http.SlowClientsTest.LIVE;
import static io.github.bloomgate.http.SlowClientsTest.MAX_WAIT;
import static io.github.bloomgate.http.SlowClientsTest.answer;
import static io.github.bloomgate.http.SlowClientsTest.assertCutOff;
import static io.github.bloomgate.http.SlowClientsTest.connected;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that send the head of a request slowly, over raw sockets. */
@QuarkusTest
@TestProfile(SlowHeadsTest.Hasty.class)
@Tag("slow")
class SlowHeadsTest {

  /** A service with short client timeouts. */
  public static class Hasty implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of("bloomgate.limits.head-timeout", "1s");
    }
  }

  @Test
  void aHeadAByteAtATimeIsCutOff() throws IOException {
    try (var socket = connected()) {
      assertCutOff(socket, "GET /v1/filters HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    }
    Awaitility.await()
        .ignoreExceptions()
        .until(
            () ->
                RestAssured.get("/q/metrics")
                    .asString()
                    .contains("bloom_slow_clients_total{part=\"head\",}"));
  }

  @Test
  void aConnectionWithoutARequestIsCutOff() throws IOException {
    try (var socket = connected()) {
      assertEquals(-1, socket.getInputStream().read());
    }
  }

  @Test
  void theHeadOfALaterRequestIsCutOffToo() throws IOException {
    try (var socket = served()) {
      assertCutOff(socket, "GET /v1/filters HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    }
  }

  @Test
  void aConnectionMayBeSilentBetweenRequests() throws Exception {
    try (var socket = served()) {
      for (var i = 0; i < 2; i++) {
        socket.setSoTimeout(2_500);
        var silence = "";
        try {
          silence = "read " + socket.getInputStream().read();
        } catch (SocketTimeoutException open) {
          silence = "open";
        }
        assertEquals("open", silence);
        socket.setSoTimeout((int) MAX_WAIT.toMillis());
        assertTrue(answer(socket, LIVE).startsWith("HTTP/1.1 200"));
      }
    }
  }

  /**
   * A connection that has served a request. Retries because a busy machine may be too slow to send
   * one.
   */
  private static Socket served() throws IOException {
    for (var attempt = 0; attempt < 100; attempt++) {
      var socket = connected();
      if (answer(socket, LIVE).startsWith("HTTP/1.1 200")) {
        return socket;
      }
      socket.close();
    }
    throw new AssertionError("no client is served");
  }
}
