package io.github.bloomgate.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OnRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of the packaged service, as text and as JSON, on a numbered database of Redis. */
@OnRedis
@Tag("slow")
class StartLogIT {

  private static final String WARNING = "No API key is configured: only clients on this machine";
  private static final ObjectMapper JSON = new ObjectMapper();

  private static TestRedis redis;

  @TempDir Path folder;

  @Test
  void theFirstLinesNameVersionAndData() throws Exception {
    var unused = folder.resolve("unused");
    try (var service =
        PackagedService.start(redis.uri() + "/3", "bloomgate.embedded.data-dir=" + unused)) {
      var summary =
          "Bloomgate \\S+ uses (Redis|Valkey) \\d+\\.\\d+\\.\\d+ at redis://[^ @]+ and serves"
              + " clients on this machine only, without a key\\.";
      Awaitility.await()
          .until(
              () -> service.log().stream().anyMatch(line -> line.matches(".* INFO .*" + summary)));
      assertTrue(
          service.log().stream().anyMatch(line -> line.matches(".* WARN .*" + WARNING + ".*")),
          () -> String.join("\n", service.log()));
      // A summary, a warning of missing keys, a warning of a Redis without persistence, and the
      // address.
      assertTrue(service.log().size() <= 4, () -> String.join("\n", service.log()));

      service.done("PUT", "/v1/filters/in-db-3", "{\"expectedInsertions\": 10}");
      assertTrue(redis.command("INFO", "keyspace").toString().contains("db3:keys="));
      assertEquals(200, service.readiness());
      assertTrue(service.metric("bloom_script_seconds_count{script=\"drop\",}") >= 1);
      assertFalse(Files.exists(unused), "an embedded Redis was started");
    }
  }

  @Test
  void aMisspeltAddressOfRedisIsReportedWithTheEmbeddedRedisThatStartsInstead() {
    try (var service =
        PackagedService.startWith("QUARKUS_REDIS_HOST=" + redis.uri(), folder.resolve("data"))) {
      for (var warning :
          List.of(
              "A setting has no effect: the environment variable QUARKUS_REDIS_HOST is unknown. Did"
                  + " you mean QUARKUS_REDIS_HOSTS?",
              "No Redis is configured, so the data goes to the embedded Redis.")) {
        assertTrue(
            service.log(warning).stream().anyMatch(line -> line.contains(" WARN ")),
            () -> String.join("\n", service.log()));
      }
      // Otherwise its Redis would stay.
      service.terminate();
      service.awaitEnd();
    }
  }

  @Test
  void aJsonLineHasTheRequestId() throws Exception {
    try (var service =
        PackagedService.start(redis.uri(), "quarkus.log.console.json.enabled=true")) {
      var request =
          HttpRequest.newBuilder(service.uri("/v1/filters/json-log"))
              .header("Content-Type", "application/json")
              .header("X-Request-Id", "of-a-test-1")
              .PUT(HttpRequest.BodyPublishers.ofString("{\"expectedInsertions\": 10}"))
              .build();
      assertEquals(
          201, HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode());

      Awaitility.await().until(() -> !lines(service, "Created filter json-log").isEmpty());
      var created = lines(service, "Created filter json-log").get(0);
      assertEquals("of-a-test-1", created.at("/mdc/requestId").asText());
      assertEquals("INFO", created.path("level").asText());
      assertTrue(created.has("timestamp"), created.toString());
      assertEquals("WARN", lines(service, WARNING).get(0).path("level").asText());
    }
  }

  private static List<JsonNode> lines(PackagedService service, String message) {
    return service.log().stream()
        .filter(line -> line.startsWith("{"))
        .map(StartLogIT::parsed)
        .filter(line -> line.path("message").asText().startsWith(message))
        .toList();
  }

  private static JsonNode parsed(String line) {
    try {
      return JSON.readTree(line);
    } catch (IOException e) {
      throw new UncheckedIOException(line, e);
    }
  }
}
