package io.github.bloomgate.server.observe;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.http.problem.FailureLog;
import io.github.bloomgate.support.LogRecords;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.logging.Logger;
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
    try (var records = LogRecords.ofAll()) {
      failures.logOthers();
      put("ids-1", "request-1");
      put("ids-2", "request-2");
      given().header(HEADER, "request-3").delete("/v1/filters/ids-1").then().statusCode(204);
      given().header(HEADER, "request-4").delete("/v1/filters/ids-2").then().statusCode(204);
      given().header(HEADER, "request-5").get("/test-only/failing?element=a");

      assertLogged(records, "request-1", "reated filter", "ids-1");
      assertLogged(records, "request-2", "reated filter", "ids-2");
      assertLogged(records, "request-3", "Deleted filter", "ids-1");
      assertLogged(records, "request-4", "Deleted filter", "ids-2");
      assertLogged(records, "request-5", "A request failed", "");

      Logger.getLogger("io.github.bloomgate").info("of no request");
      assertLogged(records, "null", "of no request", "");
    }
  }

  private static void put(String name, String id) {
    Api.json("{\"expectedInsertions\": 10}")
        .header(HEADER, id)
        .put("/v1/filters/" + name)
        .then()
        .statusCode(201);
  }

  private static void assertLogged(LogRecords records, String id, String text, String name) {
    assertTrue(
        records.seen().stream()
            .filter(record -> record.contains(text) && record.contains(name))
            .anyMatch(record -> record.startsWith(id + " ")),
        () -> text + " is not in " + records.seen());
  }
}
