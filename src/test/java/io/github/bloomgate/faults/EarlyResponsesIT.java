package io.github.bloomgate.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.OnRedis;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Unread input stays off the heap: bodies that continue after the response, waiting bodies, and
 * pipelined requests. The client gets every response.
 */
@OnRedis
@Tag("faults")
class EarlyResponsesIT {

  private static final int MIB = 1 << 20;

  /** Larger than the heap. */
  private static final int ENDLESS = 80 * MIB;

  /** All parts together are larger than the heap. */
  private static final int PART = 2 * MIB;

  private static final int AT_ONCE = 40;

  /** The measured peak of a JVM with this heap is 200 MB; this leaves some room. */
  private static final long MOST_KIB = 300 * 1024;

  private static final Set<String> BUSY = Set.of("503 OVERLOADED", "503 TOO_MANY_STREAMS");

  private static TestRedis redis;
  private static PackagedService service;

  @BeforeAll
  static void start() throws IOException {
    service =
        PackagedService.start(
            List.of(
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:MaxDirectMemorySize=64m",
                "-XX:+ExitOnOutOfMemoryError"),
            redis.uri());
    service.done("PUT", "/v1/filters/small", "{\"expectedInsertions\": 1000}");
  }

  @Test
  void everyOperationThatTakesABody() throws IOException {
    for (var operation : Operation.all().filter(Operation::hasBody).toList()) {
      for (var isChunked : List.of(false, true)) {
        var outcome = operation.endlessUpload().send(service, ENDLESS, isChunked);
        assertTrue(outcome.matches("4\\d\\d [A-Z_]+"), operation + ": " + outcome);
      }
    }
    assertWell();
  }

  static Stream<Arguments> uploads() {
    var ndjson =
        new Upload(List.of("Content-Type: application/x-ndjson"), new byte[0], new byte[8192]);
    return Stream.of(
        arguments(
            "a filter that does not exist",
            Upload.LINES.to("POST", "/v1/filters/nosuch/add"),
            PART,
            "404 FILTER_NOT_FOUND"),
        arguments(
            "a line that is too long",
            toSmall(Upload.LINES.beginningWith("a".repeat(70_000) + "\n")),
            PART,
            "422 LIMIT_EXCEEDED"),
        arguments(
            "a byte order mark",
            toSmall(Upload.LINES.beginningWith("\ufeffa\n")),
            PART,
            "400 INVALID_REQUEST"),
        arguments(
            "a line that is not JSON",
            toSmall(ndjson.beginningWith("{no\n")),
            PART,
            "400 INVALID_REQUEST"),
        arguments(
            "lines that are not gzip",
            toSmall(Upload.LINES).with("Content-Encoding: gzip"),
            PART,
            "400 INVALID_REQUEST"),
        arguments("JSON beyond the limit", toSmall(Upload.JSON), 6 * MIB, "413 TOO_LARGE"),
        arguments(
            "an invalid file",
            Upload.FILE.to("PUT", "/v1/filters/imported/import"),
            PART,
            "422 CORRUPT_IMPORT"),
        arguments("more streams than there is memory for", toSmall(Upload.LINES), PART, "200"));
  }

  /** Many uploads at once, with and without a declared length. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("uploads")
  void uploadsOfManyClients(String what, Upload upload, int length, String outcome)
      throws IOException {
    for (var isChunked : List.of(false, true)) {
      var outcomes = new ConcurrentSkipListSet<String>();
      InParallel.atOnce(AT_ONCE, i -> outcomes.add(upload.send(service, length, isChunked)));
      assertTrue(outcomes.remove(outcome), upload + ": " + outcomes);
      outcomes.removeAll(BUSY);
      assertEquals(Set.of(), outcomes, upload::toString);
    }
    assertWell();
  }

  /** The body would arrive without the flow control of HTTP/2. */
  @Test
  void upgradeToHttp2WithABody() throws IOException {
    var upgrade =
        toSmall(Upload.LINES)
            .with("Upgrade: h2c")
            .with("Connection: Upgrade, HTTP2-Settings")
            .with("HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA");
    assertEquals("200", upgrade.send(service, ENDLESS, false));
    assertWell();
  }

  @Test
  void pipelinedRequests() throws IOException {
    var request = "GET /v1/filters/small/test?element=a HTTP/1.1\r\nHost: localhost\r\n\r\n";
    var many = request.repeat(1000).getBytes(StandardCharsets.UTF_8);
    var sent = new AtomicLong();
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
      var sending = InParallel.run(() -> sendUntilClosed(socket, many, sent));
      // The client reads no response, so the remaining requests stay at the client.
      var last = new AtomicLong(-1);
      Awaitility.await()
          .pollInterval(Duration.ofSeconds(3))
          .until(() -> sending.isDone() || last.getAndSet(sent.get()) == sent.get());
    }
    assertTrue(sent.get() < ENDLESS, "the service has read everything");
    assertWell();
  }

  private static void sendUntilClosed(Socket socket, byte[] requests, AtomicLong sent) {
    try {
      while (sent.get() < ENDLESS) {
        socket.getOutputStream().write(requests);
        sent.addAndGet(requests.length);
      }
    } catch (IOException closed) {
      return;
    }
  }

  private static Upload toSmall(Upload upload) {
    return upload.to("POST", "/v1/filters/small/test");
  }

  private void assertWell() throws IOException {
    service.done("POST", "/v1/filters/small/test", "{\"elements\": [\"a\"]}");
    assertEquals(List.of(), service.log("OutOfMemory"));
    var status = Path.of("/proc", String.valueOf(service.pid()), "status");
    if (Files.exists(status)) {
      var peak =
          Files.readAllLines(status).stream()
              .filter(line -> line.startsWith("VmHWM"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
              .sum();
      assertTrue(peak < MOST_KIB, peak + " KiB");
    }
  }
}
