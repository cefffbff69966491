package io.github.bloomgate.http;

import static io.github.bloomgate.http.RawHttp.refused;
import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.RawResponse;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that do not read responses, over raw sockets with small buffers. */
@QuarkusTest
@TestProfile(HastyOnTwoPorts.class)
@Tag("slow")
class SlowReaderTest {

  /** More than any socket buffers. */
  private static final String LARGE = "{\"bitSize\": 201326592, \"numHashFunctions\": 3}";

  private static final int BUFFER_BYTES = 4096;
  private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)");

  /** Many times as long as the idle timeout. */
  private static final Duration MAX_WAIT = Duration.ofMinutes(2);

  private final MeterRegistry metrics;

  SlowReaderTest(MeterRegistry metrics) {
    this.metrics = metrics;
  }

  @Test
  void anUnreadExportIsAborted() throws IOException {
    var name = Api.newFilter(LARGE);
    try (var socket = connected()) {
      send(socket, "GET %s%s/export HTTP/1.1\r\nHost: localhost\r\n\r\n", name);
      awaitAnswer(socket);
      awaitNoStream();

      var came = new String(rest(socket), StandardCharsets.ISO_8859_1);
      var length = LENGTH.matcher(came);
      assertTrue(length.find(), "the response has begun");
      assertTrue(came.length() < Long.parseLong(length.group(1)), "the response is not complete");
    } finally {
      Api.delete(name).statusCode(204);
    }
  }

  @Test
  void anUnreadExportEndsDespiteFurtherBytes() throws IOException {
    var name = Api.newFilter(LARGE);
    try (var socket = connected()) {
      send(socket, "GET %s%s/export HTTP/1.1\r\nHost: localhost\r\n\r\n", name);
      awaitAnswer(socket);
      Awaitility.await()
          .until(
              () -> {
                sendByte(socket);
                return running() == 0;
              });
    } finally {
      Api.delete(name).statusCode(204);
    }
  }

  private static void sendByte(Socket socket) {
    try {
      socket.getOutputStream().write('G');
    } catch (IOException closed) {
      // Expected.
    }
  }

  @Test
  void anUnreadExportOverHttp2EndsDespitePings() throws Exception {
    var name = Api.newFilter(LARGE);
    try (var client = Http2Streams.open()) {
      InParallel.resultOf(client.pinged());
      assertEquals(
          200, InParallel.resultOf(client.get(Api.FILTERS + name + "/export")).statusCode());
      assertEquals(1, running());
      awaitNoStream();
    } finally {
      Api.delete(name).statusCode(204);
    }
  }

  @Test
  void aConnectionWithoutRequestsIsClosed() throws IOException {
    try (var socket = connected()) {
      send(socket, "GET %snosuch HTTP/1.1\r\nHost: localhost\r\n\r\n", "");
      assertTrue(new String(rest(socket), StandardCharsets.ISO_8859_1).startsWith("HTTP/1.1 404"));
    }
  }

  @Test
  void anHttp2ConnectionWithoutStreamsIsClosedDespitePings() throws Exception {
    try (var client = Http2Streams.open()) {
      var closed = new CompletableFuture<Void>();
      var unused = InParallel.resultOf(client.pinged()).closeHandler(end -> closed.complete(null));
      awaitEnd(closed);
    }
  }

  @Test
  void anInterleavedStreamWithUnreadResultsIsAborted() throws IOException {
    var name = Api.newFilter();
    try (var socket = connected()) {
      send(
          socket,
          String.join(
              "\r\n",
              "POST %s%s/test?return=absent&interleave=true HTTP/1.1",
              "Host: localhost",
              "Content-Type: text/plain",
              "Transfer-Encoding: chunked",
              "\r\n"),
          name);
      var sending = new CompletableFuture<Long>();
      var unused = InParallel.run(() -> sending.complete(sendUntilItIsRefused(socket)));
      awaitAnswer(socket);
      awaitNoStream();
      awaitEnd(sending);
      // Only sockets and the service buffer bytes. The rest waited at the sender.
      assertTrue(InParallel.resultOf(sending) < 64 << 20, "sent " + InParallel.resultOf(sending));
    } finally {
      Api.delete(name).statusCode(204);
    }
  }

  @Test
  void unreadResultsTakeNoStream() throws IOException {
    var name = Api.newFilter();
    try (var socket = connected()) {
      sendLines(socket, name, "%01023d\n".formatted(7).repeat(512));
      awaitAnswer(socket);
      awaitNoStream();
      assertTrue(KeptResultFiles.bytes() > 0, "the results are kept");

      Awaitility.await().until(() -> KeptResultFiles.bytes() == 0);
      var came = new String(rest(socket), StandardCharsets.ISO_8859_1);
      assertTrue(came.startsWith("HTTP/1.1 200"), "the response has begun");
      assertTrue(came.length() < 512 << 10, "the response is not complete");
    } finally {
      Api.delete(name).statusCode(204);
    }
  }

  @Test
  void resultsWithoutRoomAreRefused() throws IOException {
    var name = Api.newFilter("{\"bitSize\": 1000000, \"numHashFunctions\": 3}");
    var lines = IntStream.range(0, 3000).mapToObj("%01023d\n"::formatted).collect(joining());
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
      sendLines(socket, name, lines);
      var problem = refused(413, "TOO_LARGE", RawResponse.read(socket.getInputStream(), false));
      var line = problem.path("line").asInt();
      assertTrue(line > 2000 && line <= 3001, problem.toString());
      assertTrue(problem.path("detail").asText().contains(" 2097152 bytes"), problem.toString());
    } finally {
      Api.delete(name).statusCode(204);
    }
    Awaitility.await().until(() -> KeptResultFiles.bytes() == 0);
  }

  private static void sendLines(Socket socket, String name, String lines) throws IOException {
    send(
        socket,
        String.join(
            "\r\n",
            "POST %s%s/test?return=absent HTTP/1.1",
            "Host: localhost",
            "Content-Type: text/plain",
            "Content-Length: " + lines.length(),
            "\r\n"),
        name);
    socket.getOutputStream().write(lines.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Waits until the response has begun, without reading it. */
  private static void awaitAnswer(Socket socket) {
    Awaitility.await().until(() -> socket.getInputStream().available() > 0);
  }

  private void awaitNoStream() {
    Awaitility.await().until(() -> running() == 0);
  }

  private double running() {
    return metrics.get("bloom.streams.running").gauge().value();
  }

  private static void awaitEnd(CompletableFuture<?> sending) {
    Awaitility.await().until(sending::isDone);
  }

  /** Returns the number of bytes sent. */
  private static long sendUntilItIsRefused(Socket socket) {
    var chunk = "400\r\n" + "a".repeat(1023) + "\n\r\n";
    var chunks = chunk.repeat(64).getBytes(StandardCharsets.ISO_8859_1);
    var sent = 0L;
    try {
      while (true) {
        socket.getOutputStream().write(chunks);
        sent += chunks.length;
      }
    } catch (IOException closed) {
      return sent;
    }
  }

  private static Socket connected() throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(BUFFER_BYTES);
    socket.setSoTimeout((int) MAX_WAIT.toMillis());
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), RestAssured.port));
    return socket;
  }

  private static void send(Socket socket, String head, String name) throws IOException {
    socket
        .getOutputStream()
        .write(head.formatted(Api.FILTERS, name).getBytes(StandardCharsets.ISO_8859_1));
  }

  /** The remaining bytes until the connection was closed. */
  private static byte[] rest(Socket socket) throws IOException {
    var came = new ByteArrayOutputStream();
    try {
      socket.getInputStream().transferTo(came);
    } catch (java.net.SocketException reset) {
      // The bytes before it have arrived.
    }
    return came.toByteArray();
  }
}
