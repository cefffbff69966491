package io.github.bloomgate.server.observe;

import static io.restassured.RestAssured.get;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;

import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Dangerous settings of Redis are reported but do not affect readiness. */
@QuarkusTest
class RedisWarningsTest {

  @Inject RawRedis redis;

  @AfterEach
  void setBack() {
    redis.run("CONFIG", "SET", "maxmemory-policy", "noeviction");
  }

  @Test
  void anEvictionPolicyIsReportedUntilItChanges() {
    assertWarnings(0);
    redis.run("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    get("/q/health/ready")
        .then()
        .statusCode(200)
        .body("status", equalTo("UP"))
        .body(
            "checks.find { it.name == 'redis' }.data.warning1",
            containsString("maxmemory-policy is allkeys-lru"));
    assertWarnings(1);
    get("/v1/overview")
        .then()
        .body("warnings", hasItem(startsWith("maxmemory-policy is allkeys-lru")));

    setBack();
    get("/q/health/ready").then().statusCode(200).body(not(containsString("warning")));
    assertWarnings(0);
    get("/v1/overview").then().body("warnings", empty());
  }

  private static void assertWarnings(int count) {
    get("/q/metrics").then().body(containsString("bloom_redis_warnings " + count + ".0\n"));
  }
}
