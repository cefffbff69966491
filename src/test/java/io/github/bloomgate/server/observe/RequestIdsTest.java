package io.github.bloomgate.server.observe;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.problem.FailureLog;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import jakarta.inject.Inject;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logging.MDC;
import org.junit.jupiter.api.Test;

/** Requests and their log lines can be identified. */
@QuarkusTest
class RequestIdsTest {

  private static final String HEADER = "X-Request-Id";

  @Inject FailureLog failures;

  @Test
  void usesTheIdOfTheRequest() {
    for (var id : new String[] {"a", "4bf92f3577b34da6a3ce929d0e0e4736", "Root=1-67.a:b/c+d@e~_"}) {
      given().header(HEADER, id).get("/v1/filters").then().statusCode(200).header(HEADER, id);
    }
  }

  @Test
  void makesAnIdIfItIsMissingOrInvalid() {
    var one = given().get("/v1/filters").header(HEADER);
    var other = given().get("/v1/filters").header(HEADER);
    assertNotEquals(one, other);
    assertTrue(RequestIds.isSane(one), one);
    for (var bad : new String[] {"", "a b", "x".repeat(129), "a\"b", "a,b", "\u00e9", "a%0Ab"}) {
      assertFalse(RequestIds.isSane(bad), bad);
      var id = given().header(HEADER, bad).get("/v1/filters").header(HEADER);
      assertTrue(RequestIds.isSane(id), id);
    }
    assertTrue(RequestIds.isSane("x".repeat(128)));
  }

  @Test
  void errorsOfEverySourceHaveAnId() {
    for (var path :
        new String[] {
          "/v1/filters/none-such", "/nothing/here", "/v1/filters/a;b", "/v1/filters?limit=x"
        }) {
      given().header(HEADER, "err-1").get(path).then().header(HEADER, equalTo("err-1"));
    }
    given()
        .header(HEADER, "err-2")
        .header("Sec-Fetch-Site", "cross-site")
        .get("/v1/filters")
        .then()
        .header(HEADER, equalTo("err-2"));
  }

  @Test
  void logLinesHaveTheIdOfTheirRequest() {
    try (var lines = new Lines()) {
      failures.logOthers();
      put("ids-1", "request-1");
      put("ids-2", "request-2");
      given().header(HEADER, "request-3").delete("/v1/filters/ids-1").then().statusCode(204);
      given().header(HEADER, "request-4").delete("/v1/filters/ids-2").then().statusCode(204);
      given().header(HEADER, "request-5").get("/test-only/failing?element=a");

      assertEquals("request-1", lines.idOf("reated filter", "ids-1"));
      assertEquals("request-2", lines.idOf("reated filter", "ids-2"));
      assertEquals("request-3", lines.idOf("Deleted filter", "ids-1"));
      assertEquals("request-4", lines.idOf("Deleted filter", "ids-2"));
      assertEquals("request-5", lines.idOf("A request failed", ""));

      Logger.getLogger("io.github.bloomgate").info("of no request");
      assertNull(lines.idOf("of no request", ""));
    }
  }

  private static void put(String name, String id) {
    given()
        .header(HEADER, id)
        .contentType(ContentType.JSON)
        .body("{\"expectedInsertions\": 10}")
        .put("/v1/filters/" + name)
        .then()
        .statusCode(201);
  }

  /** Collects log lines with the id that a format would show. */
  private static final class Lines extends Handler implements AutoCloseable {

    private record Line(String text, String id) {}

    private final Queue<Line> seen = new ConcurrentLinkedQueue<>();

    Lines() {
      Logger.getLogger("").addHandler(this);
    }

    @Override
    public void publish(LogRecord record) {
      var text = record.getMessage() + Arrays.toString(record.getParameters());
      seen.add(new Line(text, (String) MDC.get(RequestIds.FIELD)));
    }

    String idOf(String text, String name) {
      return seen.stream()
          .filter(line -> line.text.contains(text) && line.text.contains(name))
          .findFirst()
          .orElseThrow(() -> new AssertionError(text + " is not in " + seen))
          .id;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      Logger.getLogger("").removeHandler(this);
    }
  }
}
