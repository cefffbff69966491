package io.github.bloomgate.http.door;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.http.HastyOnTwoPorts;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * With a management port, health and metrics are available there and nowhere else, and nothing else
 * is.
 */
@QuarkusTest
@TestProfile(HastyOnTwoPorts.class)
@Tag("slow")
class ManagementPortTest {

  private final ManagementPort management;

  ManagementPortTest(ManagementPort management) {
    this.management = management;
  }

  @Test
  void healthAndMetricsAreOnTheManagementPort() {
    there("/q/health").then().statusCode(200).body("status", equalTo("UP"));
    there("/q/health/live").then().statusCode(200);
    there("/q/health/ready").then().statusCode(200).body("status", equalTo("UP"));
    there("/q/metrics").then().statusCode(200).body(containsString("bloom_redis_connected 1.0"));
  }

  @Test
  void healthAndMetricsAreNotOnTheApiPort() {
    for (var path :
        List.of("/q/health", "/q/health/ready", "/q/metrics", "/q/./metrics", "//q/metrics")) {
      given().urlEncodingEnabled(false).get(path).then().statusCode(404);
    }
    given().get("/q/openapi").then().statusCode(200);
    given().get("/v1/filters").then().statusCode(200);
  }

  @Test
  void theApiIsNotOnTheManagementPort() {
    for (var path : List.of("/v1/filters", "/", "/q/openapi", "/q/healthy", "/q/metricsx")) {
      there(path).then().statusCode(404).body("code", equalTo("NOT_FOUND"));
    }
  }

  @Test
  void clientChecksApplyToTheManagementPort() {
    given()
        .header("X-Forwarded-For", "192.0.2.1")
        .port(management.port().orElseThrow())
        .get("/q/metrics")
        .then()
        .statusCode(403);
  }

  @Test
  void headersMayBeAsLongAsOnThePortOfTheApi() {
    for (var port : List.of(RestAssured.port, management.port().orElseThrow())) {
      health(port, 15_000).then().statusCode(port == RestAssured.port ? 404 : 200);
      health(port, 25_000).then().statusCode(431);
    }
  }

  @Test
  void itSpeaksNoHttp2() throws Exception {
    var port = management.port().orElseThrow();
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/q/health".formatted(port)));
    var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
    var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());

    assertEquals(200, answer.statusCode());
    assertEquals(HttpClient.Version.HTTP_1_1, answer.version());
  }

  private static Response health(int port, int headerBytes) {
    return given().header("X-Long", "x".repeat(headerBytes)).port(port).get("/q/health");
  }

  private Response there(String path) {
    return given().port(management.port().orElseThrow()).get(path);
  }
}
