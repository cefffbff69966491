package io.github.bloomgate.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.TestRedis;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Repeated failures are not logged repeatedly. */
@Tag("faults")
class QuietLogIT {

  private static final int REQUESTS = 300;
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  @Test
  void aFrozenRedisLogsAFewLines() throws Exception {
    try (var redis = TestRedis.started();
        var service = PackagedService.start(redis.uri(), "bloomgate.redis.call-timeout=300ms")) {
      service.done("PUT", "/v1/filters/quiet", "{\"expectedInsertions\": 100}");
      service.done("POST", "/v1/filters/quiet/test", "{\"elements\": [\"a\"]}");
      var before = service.log().size();
      redis.freeze();
      // Only adds in the pending call have an unknown outcome.
      var statuses = statuses(service);
      assertTrue(Set.of(503, 504).containsAll(statuses), statuses::toString);
      redis.thaw();
      Awaitility.await().until(() -> service.readiness() == 200);
      assertFew(before, service);
    }
  }

  /** Such a Redis closes the connection after larger requests. */
  @Test
  void aRedisThatRequiresAPasswordIsUnavailable() throws Exception {
    try (var redis = TestRedis.started();
        var service = PackagedService.start(redis.uri())) {
      service.done("PUT", "/v1/filters/quiet", "{\"expectedInsertions\": 100}");
      var before = service.log().size();
      redis.command("CONFIG", "SET", "requirepass", "secret");
      redis.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      Awaitility.await().until(() -> service.readiness() == 503);
      assertEquals(Set.of(503), statuses(service));
      assertEquals(0, service.metric("bloom_redis_connected"));
      assertEquals(0, service.metric("bloom_redis_reconnects_total"));
      assertFew(before, service);
      redis.command("CONFIG", "SET", "requirepass", "");
      Awaitility.await().until(() -> service.readiness() == 200);
      service.done("POST", "/v1/filters/quiet/add", "{\"elements\": [\"a\", \"b\"]}");
      assertEquals(1, service.log("Connected to Redis").size());
    }
  }

  @Test
  void invalidAndDisconnectingClientsLogNothing() throws Exception {
    try (var redis = TestRedis.started();
        var service = PackagedService.start(redis.uri())) {
      service.done("PUT", "/v1/filters/quiet", "{\"expectedInsertions\": 100}");
      // The service checks the settings of Redis after it has started to serve requests.
      Awaitility.await().until(() -> !service.log("appendonly is no").isEmpty());
      var before = service.log().size();
      for (var i = 0; i < 20; i++) {
        send(service, "no HTTP at all\r\n\r\n");
        send(service, PREFACE + "no frame, but enough bytes to look like one");
        send(service, PREFACE + "\0\0\0\4\0\0\0\0\0" + "\0\0\5\1\5\0\0\0\1" + "junk!");
        send(
            service,
            "POST /v1/filters/quiet/test HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{");
        send(service, "GET /v1/filters/quiet HTTP/1.1\r\nHost: localhost\r\n\r\n");
      }
      service.done("POST", "/v1/filters/quiet/test", "{\"elements\": [\"a\"]}");
      assertEquals(List.of(), service.log().subList(before, service.log().size()));
    }
  }

  private static Set<Integer> statuses(PackagedService service) {
    var body = "{\"elements\": [\"a\", \"b\", \"c\", \"d\"]}".getBytes(StandardCharsets.UTF_8);
    var answers =
        IntStream.range(0, REQUESTS)
            .mapToObj(
                i ->
                    service.sendAsync(
                        service.request(
                            "POST",
                            "/v1/filters/quiet/" + (i % 2 == 0 ? "add" : "test"),
                            "application/json",
                            body)))
            .toList();
    var statuses = new TreeSet<Integer>();
    answers.forEach(answer -> statuses.add(answer.join().statusCode()));
    return statuses;
  }

  /** Allows one line of each kind, two of the link, and one for each minute of the test. */
  private static void assertFew(int before, PackagedService service) {
    var lines = service.log().subList(before, service.log().size());
    assertTrue(lines.size() <= 20, () -> String.join("\n", lines));
    assertTrue(
        lines.stream().noneMatch(line -> line.contains("\tat ")), () -> String.join("\n", lines));
  }

  private static void send(PackagedService service, String bytes) throws IOException {
    try (var socket = new Socket("127.0.0.1", service.port())) {
      socket.setSoLinger(true, 0);
      socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
    } catch (IOException cut) {
      // The service may already have closed the connection.
      return;
    }
  }
}
