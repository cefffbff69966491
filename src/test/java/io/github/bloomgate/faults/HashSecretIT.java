package io.github.bloomgate.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OnRedis;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service with keyed filters is started again: with its secret, without, and with a new one. */
@OnRedis
@Tag("faults")
class HashSecretIT {

  private static final String OLD = "c3".repeat(32);
  private static final String NEW = "d4".repeat(32);
  private static final String PROPERTY = "bloomgate.security.hash-secret=";
  private static final String KEYED =
      "{\"expectedInsertions\": 100, \"hashScheme\": \"bloomgate-1-keyed\"}";
  private static final String ADDED = "{\"elements\": [\"added\"]}";

  @TempDir Path folder;

  private static TestRedis redis;

  @Test
  void elementsAreKnownWithTheSecretOnly() throws Exception {
    try (var service = PackagedService.start(redis.uri(), PROPERTY + OLD)) {
      service.done("PUT", "/v1/filters/f", KEYED);
      service.done("POST", "/v1/filters/f/add", ADDED);
      assertNeverLogged(service);
    }
    try (var service = PackagedService.start(redis.uri())) {
      var test = service.send("POST", "/v1/filters/f/test", ADDED);
      assertEquals(503, test.statusCode());
      assertTrue(PackagedService.text(test).contains("SECRET_MISSING"));
      assertEquals(400, service.send("PUT", "/v1/filters/g", KEYED).statusCode());
      assertEquals(200, service.readiness());
    }
    var secrets = Files.writeString(folder.resolve("secrets"), NEW + "\n" + OLD + "\n");
    try (var service =
        PackagedService.start(redis.uri(), "bloomgate.security.hash-secret-file=" + secrets)) {
      service.done("PUT", "/v1/filters/f", KEYED);
      assertTrue(
          service.done("POST", "/v1/filters/f/test", ADDED).contains("\"mightContain\":[true]"));
      assertFalse(secretId(service, "f").equals(secretId(service, "g")));
      assertNeverLogged(service);
    }
  }

  private static String secretId(PackagedService service, String name) {
    return service
        .done("PUT", "/v1/filters/" + name, KEYED)
        .replaceAll(".*\"hashSecretId\":\"([0-9a-f]+)\".*", "$1");
  }

  private static void assertNeverLogged(PackagedService service) {
    var log = String.join("\n", service.log());
    assertTrue(log.contains("Hash secrets: "), log);
    assertFalse(log.contains(OLD));
    assertFalse(log.contains(NEW));
  }
}
