package io.github.bloomgate.redis;

import static io.restassured.RestAssured.get;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.config.BloomgateConfig;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A configured Redis: its settings reach the link, readiness follows it, and the embedded one is
 * not started.
 */
@QuarkusTest
@TestProfile(RedisWiringTest.OwnRedis.class)
@Tag("slow")
class RedisWiringTest {

  private static final Path UNUSED_FOLDER = Path.of("target", "never-created");

  @Inject RedisLink link;
  @Inject BloomgateConfig config;

  @Test
  void readinessFollowsRedisThroughTheSettingsOfQuarkus() {
    assertEquals(
        "1", TestLink.await(link.send(TestLink.request("INCR", "n"), Effect.WRITE)).toString());
    // The third database is part of the configured address.
    assertTrue(Server.redis.command("INFO", "keyspace").toString().contains("db3:keys=1"));
    get("/q/health/ready")
        .then()
        .statusCode(200)
        .body("checks.find { it.name == 'redis' }.status", equalTo("UP"));
    get("/q/metrics")
        .then()
        .statusCode(200)
        .body(matchesPattern("(?s).*bloom_script_seconds_count\\{script=\"ping\",} [1-9].*"))
        .body(containsString("bloom_ready 1.0"))
        .body(containsString("bloom_redis_connected 1.0"));

    assertEquals(UNUSED_FOLDER, config.embedded().dataDir());
    assertFalse(Files.exists(UNUSED_FOLDER));

    Server.redis.kill();
    get("/q/health/ready")
        .then()
        .statusCode(503)
        .body("checks.find { it.name == 'redis' }.data.reason", containsString("Redis"));
    get("/q/metrics").then().body(containsString("bloom_ready 0.0"));

    Server.redis.start();
    Awaitility.await()
        .atMost(TestLink.MAX_WAIT)
        .until(() -> get("/q/health/ready").statusCode() == 200);
  }

  /** Points the service at a Redis of this test. */
  public static final class OwnRedis implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "quarkus.redis.devservices.enabled", "false", "quarkus.redis.health.enabled", "false");
    }

    @Override
    public List<TestResourceEntry> testResources() {
      return List.of(new TestResourceEntry(Server.class));
    }
  }

  /** Runs Redis while the test runs. */
  public static final class Server implements QuarkusTestResourceLifecycleManager {
    private static TestRedis redis;

    @Override
    public Map<String, String> start() {
      redis = TestRedis.started();
      return Map.of(
          "quarkus.redis.hosts",
          redis.uri() + "/3",
          "bloomgate.embedded.data-dir",
          UNUSED_FOLDER.toString());
    }

    @Override
    public void stop() {
      redis.close();
    }
  }
}
