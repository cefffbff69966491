package io.github.bloomgate.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.OnRedis;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Copies need more memory outside the heap than there is. */
@OnRedis
@Tag("faults")
class DirectMemoryIT {

  private static final String ONE = "{\"elements\": [\"a\"]}";

  private static final Pattern CODE = Pattern.compile("\"code\":\\s*\"(\\w+)\"");

  private static TestRedis redis;
  private static PackagedService service;

  /** Half of the memory is for copies. */
  @BeforeAll
  static void start() {
    service =
        PackagedService.start(
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:MaxDirectMemorySize=48m"), redis.uri());
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static void assertWell() throws IOException {
    service.done("POST", "/v1/filters/f0/add", "{\"elements\": [\"later\"]}");
    assertTrue(service.containsAll("f0", List.of("a", "later")));
    assertEquals(200, service.send("GET", "/q/health/live", "").statusCode());
    assertEquals(200, service.readiness());
  }

  private static void create(String name, String parameters) {
    service.done("PUT", "/v1/filters/" + name, parameters);
    service.done("POST", "/v1/filters/" + name + "/add", ONE);
  }

  /** A segment of each has 65,552 bytes. */
  @Test
  void manyFilters() throws IOException {
    for (var i = 0; i < 800; i++) {
      create("f" + i, "{\"expectedInsertions\": 55000}");
    }
    assertWell();
    assertTrue(service.metric("bloom_copies_bytes") <= 24 << 20);
  }

  /** Whole segments of large filters are read into the same memory, and need most of it. */
  @Test
  void manyMergesAtOnce() throws IOException {
    create("f0", "{\"expectedInsertions\": 55000}");
    for (var i = 0; i < 12; i++) {
      create("large" + i, "{\"expectedInsertions\": 3000000, \"counting\": true}");
    }
    var outcomes = new ConcurrentSkipListSet<String>();
    InParallel.atOnce(
        12,
        i -> {
          var body = ("{\"to\": \"copy" + i + "\"}").getBytes(UTF_8);
          var copy =
              service.request("POST", "/v1/filters/large" + i + "/copy", "application/json", body);
          outcomes.add(outcome(service.sendAsync(copy).join()));
          service.done("POST", "/v1/filters/large" + i + "/test", ONE);
        });
    outcomes.removeAll(Set.of("201", "503 OVERLOADED"));
    assertEquals(Set.of(), outcomes);
    assertWell();
  }

  private static String outcome(HttpResponse<byte[]> response) {
    return response.statusCode()
        + CODE.matcher(PackagedService.text(response))
            .results()
            .map(code -> " " + code.group(1))
            .collect(Collectors.joining());
  }
}
