package io.github.bloomgate.faults;

import static io.github.bloomgate.support.Bytes.utf8;
import static io.github.bloomgate.support.Bytes.zipped;
import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.faults.UnreadConnections.Request;
import io.github.bloomgate.http.access.ApiKey;
import io.github.bloomgate.http.access.Role;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OnRedis;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * With the image's memory limits, a client that reads no response takes a bounded amount of memory,
 * and other clients are served. Requests without a key count for the address of the client.
 */
@OnRedis
@Tag("faults")
class UnreadResponsesIT {

  /** Of the client that reads nothing. Others have 127.0.0.1. */
  private static final String ADDRESS = "127.0.0.2";

  private static final int CONNECTIONS = 300;

  /** More than a connection may have over HTTP/2. */
  private static final int TIMES = 100;

  /** The recommended limit of a container, in docs/operations.md. */
  private static final long MAX_RESIDENT_KIB = 700 << 10;

  /** Much longer than a request may take. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(20);

  private static final String KEY = "bg_hostile_" + "h".repeat(43);
  private static final String OTHER_KEY = "bg_other_" + "o".repeat(43);

  private static final int FILTERS = 300;

  @SuppressWarnings("UnusedVariable") // Read by FieldSource.
  private static final List<Request> WITHOUT_KEY =
      Stream.of(
              "/q/openapi",
              "/q/openapi?format=json",
              "/q/health",
              "/q/health/live",
              "/",
              "/console/app.js",
              "/q/swagger-ui/swagger-ui-bundle.js",
              "/q/swagger-ui/swagger-ui.css",
              "/q/metrics",
              "/v1/filters",
              "/nothing")
          .map(path -> new Request("GET", path, Map.of(), new byte[0]))
          .toList();

  @SuppressWarnings("UnusedVariable") // Read by FieldSource.
  private static final List<Request> WITH_KEY =
      List.of(
          withKey("GET", "/q/openapi", "", ""),
          withKey("GET", "/q/metrics", "", ""),
          withKey("GET", "/v1/filters?limit=1000&figures=true", "", ""),
          withKey("GET", "/v1/filters/unread-0", "", ""),
          withKey("GET", "/v1/filters/unread-0/export", "", ""),
          withKey("GET", "/v1/filters/unread-0/follow", "", ""),
          withKey("POST", "/v1/filters/unread-0/test", "application/json", elements(10_000, 1)),
          withKey("POST", "/v1/filters/unread-0/count", "application/json", elements(1000, 1)),
          withKey(
              "POST",
              "/v1/filters/unread-0/test?return=absent",
              "application/json",
              elements(10_000, 1566)),
          withKey("POST", "/v1/test", "application/json", ofSeveral(100, 1000)),
          withKey("POST", "/v1/filters/unread-0/test?return=flags", "text/plain", lines(60_000)));

  private static TestRedis redis;
  private static PackagedService service;

  private final HttpClient other =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static Request withKey(String method, String path, String type, String body) {
    var headers = new HashMap<String, String>();
    headers.put("authorization", "Bearer " + KEY);
    if (!type.isEmpty()) {
      headers.put("content-type", type);
      headers.put("content-encoding", "gzip");
    }
    return new Request(method, path, headers, body.isEmpty() ? new byte[0] : zipped(utf8(body)));
  }

  private static String elements(int count, int length) {
    return array(Collections.nCopies(count, "e".repeat(length)), "{\"elements\":");
  }

  private static String ofSeveral(int filters, int elements) {
    var names = IntStream.range(0, filters).mapToObj(i -> "unread-" + i).toList();
    return array(names, "{\"filters\":").replace('}', ',')
        + array(Collections.nCopies(elements, "e"), "\"elements\":");
  }

  private static String array(List<String> texts, String start) {
    return texts.stream().collect(joining("\",\"", start + "[\"", "\"]}"));
  }

  private static String lines(int count) {
    return "e\n".repeat(count);
  }

  @BeforeAll
  static void start() throws Exception {
    service =
        PackagedService.start(
            List.of("@target/quarkus-app/bloomgate.vmoptions"),
            redis.uri(),
            "bloomgate.security.keys="
                + ApiKey.line("hostile", Role.FOLLOWER, KEY, List.of())
                + ";"
                + ApiKey.line("other", Role.ADMIN, OTHER_KEY, List.of()));
    var test = new UnreadResponsesIT();
    for (var i = 0; i < FILTERS; i++) {
      test.done("PUT", "/v1/filters/unread-" + i, "{\"expectedInsertions\": 1000}");
    }
  }

  @ParameterizedTest
  @FieldSource("WITHOUT_KEY")
  void withoutAKey(Request request) throws Exception {
    attack(request);
  }

  @ParameterizedTest
  @FieldSource("WITH_KEY")
  void withAKey(Request request) throws Exception {
    attack(request);
  }

  private void attack(Request request) throws Exception {
    var times = request.body().length == 0 ? TIMES : 1;
    try (var unread = new UnreadConnections(ADDRESS, service.port())) {
      for (var i = 0; i < CONNECTIONS; i++) {
        unread.multiplex(request, times);
      }
      assertOthersAreServed();
    }
    try (var unread = new UnreadConnections(ADDRESS, service.port())) {
      for (var i = 0; i < CONNECTIONS; i++) {
        unread.pipeline(request, times);
      }
      assertOthersAreServed();
    }
  }

  /** Several times, because the service still handles requests when they have been sent. */
  private void assertOthersAreServed() throws Exception {
    for (var i = 0; i < 10; i++) {
      done("POST", "/v1/filters/unread-1/add", "{\"elements\": [\"a\"]}");
      done("GET", "/q/health/ready", "");
    }
    assertTrue(residentKib() < MAX_RESIDENT_KIB, residentKib() + " KiB");
    assertEquals(List.of(), service.log("OutOf"));
  }

  private void done(String method, String path, String json) throws Exception {
    var request =
        HttpRequest.newBuilder(service.uri(path))
            .timeout(MAX_WAIT)
            .header("Authorization", "Bearer " + OTHER_KEY)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(json))
            .build();
    var answer = other.send(request, BodyHandlers.ofString());
    assertEquals(2, answer.statusCode() / 100, () -> method + " " + path + ": " + answer.body());
  }

  private static long residentKib() throws IOException {
    return Files.readAllLines(Path.of("/proc/%d/status".formatted(service.pid()))).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
  }
}
