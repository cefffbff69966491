package io.github.bloomgate.server.observe;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;

import io.github.bloomgate.http.Api;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The labels of requests distinguish streams, and 304 counts for its path. */
@QuarkusTest
class RequestLabelsTest {

  private static final String ADD = "/v1/filters/{name}/add";

  @Inject MeterRegistry meters;

  @Test
  void aStreamIsNotCountedAsAnAddOfJson() {
    var name = Api.newFilter();
    var json = count("POST", ADD, "200", "false");
    var lines = count("POST", ADD, "200", "true");

    Api.lines("text/plain", "a\nb\n").post(Api.FILTERS + name + "/add").then().statusCode(200);
    awaitMore("POST", ADD, "200", "true", lines);
    Api.post(name, "add", "{\"elements\": [\"a\"]}").statusCode(200);
    awaitMore("POST", ADD, "200", "false", json);
  }

  @Test
  void anUnchangedAnswerIsCountedForItsPath() {
    var tag = get("/v1/filters").then().statusCode(200).extract().header("ETag");
    var filters = count("GET", "/v1/filters", "304", "false");

    given().header("If-None-Match", tag).get("/v1/filters").then().statusCode(304);

    awaitMore("GET", "/v1/filters", "304", "false", filters);
  }

  private void awaitMore(String method, String path, String status, String stream, long before) {
    Awaitility.await().until(() -> count(method, path, status, stream) == before + 1);
  }

  private long count(String method, String path, String status, String stream) {
    return meters
        .find("http.server.requests")
        .tags("method", method, "uri", path, "status", status, "stream", stream)
        .timers()
        .stream()
        .mapToLong(Timer::count)
        .sum();
  }
}
