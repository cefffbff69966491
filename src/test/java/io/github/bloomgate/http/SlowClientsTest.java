package io.github.bloomgate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.StreamResetException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that send slowly, send too much, or open too many connections, over raw sockets. */
@QuarkusTest
@TestProfile(SlowClientsTest.Hasty.class)
@Tag("slow")
class SlowClientsTest {

  private static final int MAX_CONNECTIONS = 40;

  /** The pause between two bytes, too short for an idle timeout. */
  private static final int PAUSE_MILLIS = 100;

  /** Many times as long as any timeout. */
  private static final Duration MAX_WAIT = Duration.ofMinutes(2);

  private static final String LIVE = "GET /q/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";

  /** To a resource, whose requests without a body the framework does not read. */
  private static final String LIST =
      "GET /v1/filters?prefix=nosuch HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private static final String BEGUN_HEAD =
      "GET /v1/filters HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";

  /**
   * A service with short timeouts for the head of a request and for JSON bodies. Its timeout for
   * streams is longer than the machine may stall.
   */
  public static class Hasty implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "bloomgate.limits.head-timeout", "2s",
          "bloomgate.limits.body-timeout", "1s",
          "quarkus.http.read-timeout", "5s",
          "quarkus.http.limits.max-connections", "" + MAX_CONNECTIONS);
    }
  }

  @BeforeEach
  void atLeastOneRequest() {
    newFilter();
  }

  /** Creates a filter. Retries because a busy machine may hit the client timeout. */
  private static String newFilter() {
    return Awaitility.await().ignoreExceptions().until(() -> Api.newFilter(), Objects::nonNull);
  }

  @Test
  void aHeadAByteAtATimeIsCutOff() throws IOException {
    var before = Api.metric("bloom_slow_clients_total{part=\"head\"");
    try (var socket = connected()) {
      assertCutOff(socket, BEGUN_HEAD);
    }
    assertTrue(Api.metric("bloom_slow_clients_total{part=\"head\"") > before);
  }

  @Test
  void aConnectionWithoutARequestIsCutOff() throws IOException {
    try (var socket = connected()) {
      assertEquals(-1, socket.getInputStream().read());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {LIVE, LIST})
  void theHeadOfALaterRequestIsCutOffToo(String before) throws IOException {
    var slow = Api.metric("bloom_slow_clients_total{part=\"head\"");
    try (var socket = served(before)) {
      assertCutOff(socket, BEGUN_HEAD);
    }
    assertTrue(Api.metric("bloom_slow_clients_total{part=\"head\"") > slow);
  }

  /** If it arrives with an earlier request, and nothing else arrives later. */
  @ParameterizedTest
  @ValueSource(strings = {LIVE, LIST})
  void aHeadBegunBehindARequestIsCutOff(String before) throws IOException {
    var slow = Api.metric("bloom_slow_clients_total{part=\"head\"");
    try (var socket = served(before + BEGUN_HEAD)) {
      while (socket.getInputStream().read() >= 0) {}
    }
    assertTrue(Api.metric("bloom_slow_clients_total{part=\"head\"") > slow);
  }

  @ParameterizedTest
  @ValueSource(strings = {LIVE, LIST})
  void aConnectionMayBeSilentBetweenRequests(String before) throws IOException {
    try (var socket = served(before)) {
      socket.setSoTimeout(4_000);
      assertThrows(SocketTimeoutException.class, () -> socket.getInputStream().read());
      socket.setSoTimeout((int) MAX_WAIT.toMillis());
      assertTrue(answer(socket, LIVE).startsWith("HTTP/1.1 200"));
    }
  }

  /**
   * A connection that has served a request. Retries, because a busy machine may send too slowly.
   */
  private static Socket served(String request) {
    return Awaitility.await()
        .until(
            () -> {
              var socket = connected();
              return answer(socket, request).startsWith("HTTP/1.1 200") ? socket : null;
            },
            Objects::nonNull);
  }

  @Test
  void jsonAByteAtATimeIsCutOff() throws IOException {
    var before = Api.metric("bloom_slow_clients_total{part=\"body\"");
    var name = newFilter();
    try (var socket = connected()) {
      assertCutOff(
          socket, head(name, "application/json", "Content-Length: 100000") + "{\"elements\": [\"");
    }
    assertTrue(Api.metric("bloom_slow_clients_total{part=\"body\"") > before);
  }

  /** Applies to streams too, although they have no timeout before the response. */
  @Test
  void theRestOfABodyBehindItsResponseIsCutOff() throws IOException {
    var before = Api.metric("bloom_slow_clients_total{part=\"body\"");
    try (var socket = connected()) {
      assertCutOff(socket, head("none", "text/plain", "Content-Length: 100000") + "a\n");
    }
    assertTrue(Api.metric("bloom_slow_clients_total{part=\"body\"") > before);
  }

  @Test
  void jsonOverHttp2IsCutOffToo() throws Exception {
    var name = newFilter();
    try (var client = Http2Streams.open()) {
      var streams = new ArrayList<CompletableFuture<HttpClientResponse>>();
      for (var i = 0; i < 46; i++) {
        streams.add(client.begin("POST", Api.FILTERS + name + "/add", "application/json"));
      }
      for (var stream : streams) {
        var failure =
            assertThrows(
                ExecutionException.class, () -> stream.get(MAX_WAIT.toSeconds(), TimeUnit.SECONDS));
        assertInstanceOf(StreamResetException.class, failure.getCause());
      }
      // The connection stays open, and its other streams continue.
      assertEquals(200, client.get("/q/health/live").get().statusCode());
    }
  }

  @Test
  void aCompleteResponseThatIsNotReadIsCutOff() throws IOException {
    var before = Api.metric("bloom_slow_clients_total{part=\"response\"");
    try (var socket = connected()) {
      socket.setReceiveBufferSize(4096);
      send(socket, "GET /q/swagger-ui/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n");
      Awaitility.await()
          .until(() -> Api.metric("bloom_slow_clients_total{part=\"response\"") > before);
    }
  }

  @Test
  void anUnreadResponseOverHttp2IsCutOffAndOthersAreNot() throws Exception {
    var before = Api.metric("bloom_slow_clients_total{part=\"response\"");
    try (var client = Http2Streams.open()) {
      var unread = client.get("/q/swagger-ui/swagger-ui-bundle.js").get();
      var reset = new CompletableFuture<Throwable>();
      unread.exceptionHandler(reset::complete);
      var other = client.begin("POST", Api.FILTERS + newFilter() + "/add", "text/plain");
      Awaitility.await()
          .until(() -> Api.metric("bloom_slow_clients_total{part=\"response\"") > before);
      assertInstanceOf(
          StreamResetException.class, reset.get(MAX_WAIT.toSeconds(), TimeUnit.SECONDS));
      assertTrue(!other.isDone(), "the other stream continues");
    }
  }

  @Test
  void aStreamMayTakeLongerAsLongAsItDoesNotPause() throws IOException {
    var name = newFilter();
    var begin = System.nanoTime();
    try (var socket = connected()) {
      send(socket, head(name, "text/plain", "Transfer-Encoding: chunked"));
      // Longer than the timeouts for pauses and for JSON bodies.
      while (System.nanoTime() - begin < Duration.ofSeconds(6).toNanos()) {
        send(socket, "2\r\na\n\r\n");
        pause(socket);
      }
      send(socket, "0\r\n\r\n");
      assertTrue(head(socket).startsWith("HTTP/1.1 200"));
    }
  }

  @Test
  void aResponseMayTakeLongerThanABody() throws Exception {
    var name = newFilter();
    var before = Api.metric("bloom_slow_clients_total{part=\"body\"");
    var follow = "GET %s%s/follow".formatted(Api.FILTERS, name);
    try (var socket = connected();
        var client = Http2Streams.open()) {
      send(socket, follow + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
      var stream = client.get(Api.FILTERS + name + "/follow").get();
      var end = new CompletableFuture<Throwable>();
      stream.exceptionHandler(end::complete);
      var begin = System.nanoTime();
      while (System.nanoTime() - begin < Duration.ofSeconds(4).toNanos()) {
        assertTrue(socket.getInputStream().read() >= 0, "an AT each second");
      }
      assertTrue(!end.isDone(), "the stream over HTTP/2");
    }
    assertEquals(before, Api.metric("bloom_slow_clients_total{part=\"body\""));
  }

  @Test
  void aStreamThatPausesTooLongIsEnded() throws IOException {
    var name = newFilter();
    try (var socket = connected()) {
      send(socket, head(name, "text/plain", "Transfer-Encoding: chunked") + "2\r\na\n\r\n");
      while (socket.getInputStream().read() >= 0) {}
    } catch (SocketException reset) {
      assertTrue(reset.getMessage().contains("reset"), reset.getMessage());
    }
  }

  @Test
  void connectionsBeyondTheLimitAreClosedAndOthersServed() throws IOException {
    var sockets = new ArrayList<Socket>();
    try (var served = served(LIVE)) {
      for (var i = 0; i < 2 * MAX_CONNECTIONS; i++) {
        sockets.add(connected());
      }
      assertEquals("", answer(sockets.get(sockets.size() - 1), LIVE));
      send(served, LIVE);
      assertTrue(head(served).startsWith("HTTP/1.1 200"));
    } finally {
      for (var socket : sockets) {
        socket.close();
      }
    }
    // The service needs time to notice that they are gone.
    Awaitility.await().until(() -> areServed(MAX_CONNECTIONS / 2));
  }

  private static boolean areServed(int connections) throws IOException {
    var served = true;
    var sockets = new ArrayList<Socket>();
    for (var i = 0; i < connections; i++) {
      sockets.add(connected());
      served &= answer(sockets.get(i), LIVE).startsWith("HTTP/1.1 200");
    }
    for (var socket : sockets) {
      socket.close();
    }
    return served;
  }

  @ParameterizedTest
  @MethodSource
  void headersHaveATotalLimit(String headers) throws IOException {
    // Other connections may be too many for another one.
    try (var socket = served(LIVE)) {
      send(socket, "GET /v1/filters HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");
      assertTrue(head(socket).startsWith("HTTP/1.1 431"));
    }
  }

  static List<String> headersHaveATotalLimit() {
    return List.of("X-Long: " + "a".repeat(21_000) + "\r\n", "X-Many: a\r\n".repeat(2_500));
  }

  private static Socket connected() throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port);
    socket.setSoTimeout((int) MAX_WAIT.toMillis());
    socket.setTcpNoDelay(true);
    return socket;
  }

  private static String head(String name, String type, String length) {
    return "POST %s%s/add HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\n%s\r\n\r\n"
        .formatted(Api.FILTERS, name, type, length);
  }

  /**
   * Sends the start of a request, and then single bytes until the service closes the connection.
   */
  private static void assertCutOff(Socket socket, String beginning) throws IOException {
    var begin = System.nanoTime();
    try {
      send(socket, beginning);
      while (!isClosed(socket)) {
        assertTrue(System.nanoTime() - begin < MAX_WAIT.toNanos(), "not cut off");
        send(socket, "a");
      }
    } catch (SocketException reset) {
      assertTrue(reset.getMessage().matches(".*(reset|Broken pipe).*"), reset.getMessage());
    }
  }

  private static boolean isClosed(Socket socket) throws IOException {
    socket.setSoTimeout(PAUSE_MILLIS);
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException open) {
      return false;
    }
  }

  private static void pause(Socket socket) throws IOException {
    assertTrue(!isClosed(socket), "closed");
    socket.setSoTimeout((int) MAX_WAIT.toMillis());
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Sends a request and returns the head of the response; empty if there is none. */
  private static String answer(Socket socket, String request) throws IOException {
    try {
      send(socket, request);
    } catch (SocketException closed) {
      return "";
    }
    return head(socket);
  }

  /**
   * Returns the head of a response, with the body if it is in the same packet; empty if there is
   * none.
   */
  private static String head(Socket socket) throws IOException {
    var buffer = new byte[8192];
    try {
      var length = socket.getInputStream().read(buffer);
      return length < 0 ? "" : new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
    } catch (SocketException reset) {
      return "";
    }
  }
}
