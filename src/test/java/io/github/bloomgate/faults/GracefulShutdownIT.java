package io.github.bloomgate.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.InParallel;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A service that shuts down finishes pending requests. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Tag("faults")
class GracefulShutdownIT {

  private static final int CLIENTS = 4;

  private final List<String> acknowledged = new CopyOnWriteArrayList<>();
  private final List<String> refused = new CopyOnWriteArrayList<>();
  private final List<String> unanswered = new CopyOnWriteArrayList<>();
  private TestRedis redis;

  @BeforeEach
  void start() {
    redis = TestRedis.started();
  }

  @AfterEach
  void stop() {
    redis.close();
  }

  /** Readiness goes down while requests are still served. */
  @Test
  void readinessGoesDownFirst() throws Exception {
    // Longer than the rest of the test takes on the slowest machine.
    try (var service = PackagedService.start(redis.uri(), "quarkus.shutdown.delay=10M")) {
      service.done("PUT", "/v1/filters/f", Shapes.ONE);
      assertEquals(200, service.readiness());
      service.terminate();
      Awaitility.await().until(() -> service.readiness() == 503);
      service.done("POST", "/v1/filters/f/add", "{\"elements\": [\"late\"]}");
      assertTrue(service.containsAll("f", List.of("late")));
    }
    try (var service = PackagedService.start(redis.uri(), "quarkus.shutdown.delay=1s")) {
      service.terminate();
      service.awaitEnd();
    }
  }

  /**
   * The service answers every request that it started. If the port was closed first, it did
   * nothing.
   */
  @Test
  void underLoadEveryStartedRequestIsAnswered() throws Exception {
    try (var service = PackagedService.start(redis.uri())) {
      service.done("PUT", "/v1/filters/f", Shapes.ONE_LARGE);
      var done = new AtomicLong();
      var ended = new AtomicBoolean();
      var clients = new ArrayList<CompletableFuture<Void>>();
      for (var client = 0; client < CLIENTS; client++) {
        var prefix = client + ".";
        clients.add(
            InParallel.run(
                () -> {
                  for (var i = 0; !ended.get(); i++) {
                    var element = prefix + i;
                    if (!exchange(service.port(), element)) {
                      return;
                    }
                    done.incrementAndGet();
                  }
                }));
      }
      Awaitility.await().until(() -> done.get() > 500);
      service.terminate();
      for (var client : clients) {
        client.get(FaultRun.MAX_WAIT.toSeconds(), TimeUnit.SECONDS);
      }
      ended.set(true);
      service.awaitEnd();
      assertEquals(List.of(), service.log(" ERROR "));
    }
    System.out.printf(
        "%d answered, %d refused, %d not answered%n",
        acknowledged.size(), refused.size(), unanswered.size());
    refused.addAll(unanswered);
    try (var after = PackagedService.start(redis.uri())) {
      for (var from = 0; from < acknowledged.size(); from += 1000) {
        var part = acknowledged.subList(from, Math.min(acknowledged.size(), from + 1000));
        assertTrue(after.containsAll("f", part));
      }
      for (var element : refused) {
        assertFalse(after.containsAll("f", List.of(element)), () -> element + " was added");
      }
    }
  }

  /**
   * Sends an add on a new raw connection, to see whether the service reads it.
   *
   * @return false if the port is closed
   */
  private boolean exchange(int port, String element) {
    Socket connected;
    try {
      connected = new Socket("127.0.0.1", port);
    } catch (IOException nobodyListens) {
      return false;
    }
    try (var socket = connected) {
      socket.setSoTimeout((int) FaultRun.MAX_WAIT.toMillis());
      var body = "{\"elements\":[\"" + element + "\"]}";
      var request =
          String.join(
              "\r\n",
              "POST /v1/filters/f/add HTTP/1.1",
              "Host: localhost",
              "Connection: close",
              "Content-Type: application/json",
              "Content-Length: " + body.length(),
              "",
              body);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (answer.startsWith("HTTP/1.1 200")) {
        acknowledged.add(element);
        return true;
      }
      if (answer.startsWith("HTTP/1.1 503")) {
        refused.add(element);
        return true;
      }
      assertEquals("", answer);
      unanswered.add(element);
      return false;
    } catch (IOException broken) {
      unanswered.add(element);
      return false;
    }
  }

  /** Long requests are not interrupted: an upload continues to its end. */
  @Test
  void aStartedStreamIsFinished() throws Exception {
    try (var service =
        PackagedService.start(
            redis.uri(), "quarkus.shutdown.timeout=5M", "quarkus.http.read-timeout=5M")) {
      service.done("PUT", "/v1/filters/f", Shapes.ONE);
      try (var stream = beginStream(service)) {
        service.terminate();
        endStream(service, stream);
      }
      service.awaitEnd();
    }
  }

  /** Ctrl-C signals every process of the group, so the embedded Redis must not be in it. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void ctrlCKeepsRedisForAStartedStream(@TempDir Path data) throws Exception {
    try (var service =
        PackagedService.startInGroup(
            data, "quarkus.shutdown.timeout=5M", "quarkus.http.read-timeout=5M")) {
      service.done("PUT", "/v1/filters/f", Shapes.ONE);
      try (var stream = beginStream(service)) {
        service.interruptGroup();
        endStream(service, stream);
      }
      service.awaitEnd();
      assertEquals(List.of(), service.log(" ERROR "));
      assertFalse(
          service.log("redis-server stopped").isEmpty(), () -> String.join("\n", service.log()));
    }
    try (var after = PackagedService.startInGroup(data)) {
      assertTrue(after.containsAll("f", List.of("first", "last")));
      after.terminate();
      after.awaitEnd();
    }
  }

  /** Sends the first line, and waits until the service reads the stream. */
  private static Socket beginStream(PackagedService service) throws IOException {
    var socket = new Socket("127.0.0.1", service.port());
    socket.setSoTimeout((int) FaultRun.MAX_WAIT.toMillis());
    socket
        .getOutputStream()
        .write(
            String.join(
                    "\r\n",
                    "POST /v1/filters/f/add HTTP/1.1",
                    "Host: localhost",
                    "Connection: close",
                    "Content-Type: text/plain",
                    "Transfer-Encoding: chunked",
                    "",
                    "6",
                    "first\n",
                    "")
                .getBytes(StandardCharsets.US_ASCII));
    Awaitility.await().until(() -> service.metric("bloom_streams_running") == 1);
    return socket;
  }

  /** Sends the last line to a service that is shutting down, and expects answers to both. */
  private static void endStream(PackagedService service, Socket stream) throws IOException {
    // Once the service refuses requests, the shutdown has begun.
    Awaitility.await()
        .until(
            () -> {
              try {
                return service.readiness() == 503;
              } catch (IOException closed) {
                return true;
              }
            });
    stream.getOutputStream().write("5\r\nlast\n\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    var answer = new String(stream.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
    assertTrue(answer.contains("2"), answer);
  }
}
