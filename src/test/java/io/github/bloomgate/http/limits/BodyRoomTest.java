package io.github.bloomgate.http.limits;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.support.Beside;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Bodies are let in as there is memory for what they may become. */
@Isolated("it takes all the memory there is for bodies")
@QuarkusTest
class BodyRoomTest {

  private static final String LARGE =
      Collections.nCopies(1_000, "\"" + "a".repeat(1_000) + "\"").stream()
          .collect(Collectors.joining(",", "{\"elements\":[", "]}"));

  @Inject MemoryBudget memory;

  @TestHTTPResource URI service;

  private String filter;

  @BeforeEach
  void create() {
    filter = Api.newFilter();
    awaitNothingHeld();
  }

  private void awaitNothingHeld() {
    Awaitility.await().until(() -> memory.taken(Use.BODIES) == 0);
  }

  private Response test(String body) {
    return RestAssured.given()
        .contentType("application/json")
        .body(body)
        .post("/v1/filters/" + filter + "/test");
  }

  @Test
  void aBodyWaitsUntilThereIsRoom() {
    assertTrue(memory.take(Use.BODIES, memory.most()));
    var answer = new CompletableFuture<Response>();
    var unused = Beside.run(() -> answer.complete(test(LARGE)));
    Awaitility.await().until(() -> waiting() == 1);
    memory.giveBack(Use.BODIES, memory.most());
    answer.join().then().statusCode(200);
    awaitNothingHeld();
  }

  @Test
  void whereTooManyWaitABodyIsRefused() {
    assertTrue(memory.take(Use.BODIES, memory.most()));
    var refused = new AtomicBoolean();
    try {
      while (!refused.get()) {
        memory.await(
            Use.BODIES,
            memory.most(),
            admitted -> {
              refused.compareAndSet(false, !admitted);
              if (admitted) {
                memory.giveBack(Use.BODIES, memory.most());
              }
            });
      }
      test(LARGE)
          .then()
          .statusCode(503)
          .header("Retry-After", notNullValue())
          .body("code", equalTo("OVERLOADED"))
          .body("title", equalTo("The service has no memory left for the request"));
      Api.describe(filter);
    } finally {
      memory.giveBack(Use.BODIES, memory.most());
    }
    test(LARGE).then().statusCode(200);
    awaitNothingHeld();
  }

  private double waiting() {
    return RestAssured.get("/q/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith("bloom_memory_waiting "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aClientThatLeavesGivesItsRoomBack() throws Exception {
    try (var socket = new Socket(service.getHost(), service.getPort())) {
      socket
          .getOutputStream()
          .write(
              ("POST /v1/filters/"
                      + filter
                      + "/test HTTP/1.1\r\nHost: localhost\r\n"
                      + "Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{")
                  .getBytes(StandardCharsets.US_ASCII));
      Awaitility.await().until(() -> memory.taken(Use.BODIES) > 3_000_000);
    }
    awaitNothingHeld();
  }

  @Test
  void whatIsRefusedOrFailsGivesItsRoomBack() {
    test("{\"elements\":[").then().statusCode(400);
    test("").then().statusCode(400);
    RestAssured.given()
        .contentType("text/html")
        .body(LARGE)
        .post("/v1/filters/" + filter + "/test")
        .then()
        .statusCode(415);
    test("{\"elements\":[\"" + "a".repeat(1_000_000) + "\"]}").then().statusCode(422);
    awaitNothingHeld();
    assertEquals(0, memory.taken(Use.WORK));
  }
}
