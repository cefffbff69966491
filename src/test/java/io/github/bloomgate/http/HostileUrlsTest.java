package io.github.bloomgate.http;

import static io.github.bloomgate.http.RawHttp.refused;
import static io.github.bloomgate.support.Bytes.utf8;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.http.door.ShutdownGate;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Malicious URLs and methods are refused with a problem document. */
@QuarkusTest
class HostileUrlsTest extends HostileInput {

  @Inject ShutdownGate shutdown;

  @ParameterizedTest
  @ValueSource(strings = {"*/*", "text/html", "application/json"})
  void unknownPathsAreNotFoundForAnyAcceptHeader(String accept) {
    given()
        .contentType("application/json")
        .accept(accept)
        .body("{}")
        .put("/v2/filters/" + name)
        .then()
        .statusCode(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a/b",
        "..",
        "%2e%2e",
        "a/../../x",
        "a;b=c",
        "a;",
        "{0};v=1",
        "{0}/add/x",
        "{0}/unknown"
      })
  void pathsThatLeadNowhereAreNotFound(String path) {
    var target = Api.FILTERS + path.replace("{0}", name);
    var body = utf8("{\"expectedInsertions\": 10}");
    refused(404, "NOT_FOUND", RawHttp.send("PUT", target, JSON, body));
    nothingChanged();
    Api.describe("a").statusCode(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/x/../v1/filters/", "//v1/filters/", "/./v1//filters/"})
  void theQueryOfADetouredPathIsChecked(String detour) {
    var body = utf8("{\"expectedInsertions\": 10}");
    var target = detour + Api.newName() + "?unknown=1";
    refused(400, "INVALID_REQUEST", RawHttp.send("PUT", target, JSON, body));
  }

  @Test
  void aDetouredPathIsRefusedDuringShutdown() {
    shutdown.refuse(true);
    try {
      var target = "/q/.." + Api.FILTERS + name + "/clear";
      refused(503, "SHUTTING_DOWN", RawHttp.send("POST", target, "", new byte[0]));
    } finally {
      shutdown.refuse(false);
    }
    nothingChanged();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "element",
        "element=a&encoding=hex",
        "element=6&encoding=hex",
        "element=YQ%3D&encoding=base64",
        "element=61&encoding=hex&encoding=utf-8",
        "element=kept#",
        "element=kept#more",
        "encoding=utf-8"
      })
  void malformedQueriesAreRefused(String query) {
    var target = Api.FILTERS + name + "/test?" + query;
    var answer = RawHttp.send("GET", target, "", new byte[0]);
    if (query.equals("element")) {
      // A parameter without a value is the empty element.
      assertEquals(200, answer.status());
    } else {
      refused(400, "INVALID_REQUEST", answer);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit=99999999999999999999",
        "cursor=x",
        "cursor=%00",
        "cursor=YQ==YQ",
        "cursor=e30",
        "cursor=YQ&cursor=YQ",
      })
  void malformedPagesAreRefused(String query) {
    var target = "/v1/filters?" + query;
    refused(400, "INVALID_REQUEST", RawHttp.send("GET", target, "", new byte[0]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"%C3%A9", "%FF", "%00", "%7B", "a%2Fb"})
  void anUnusedPrefixFindsNothing(String prefix) {
    Api.raw()
        .get("/v1/filters?prefix=" + prefix)
        .then()
        .statusCode(200)
        .body("filters", equalTo(List.of()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PATCH", "TRACE", "PUT", "DELETE", "UNKNOWN", "get"})
  void otherMethodsAreNotAllowed(String method) {
    refused(405, "METHOD_NOT_ALLOWED", send(method, "add", JSON, new byte[0]));
    nothingChanged();
  }

  @Test
  void headAnswersWithoutABody() {
    var answer = send("HEAD", "unknown", "", new byte[0]);
    assertEquals(404, answer.status());
    assertEquals("application/problem+json", answer.headers().get("content-type"));
    assertEquals(405, send("HEAD", "add", "", new byte[0]).status());
  }

  /** The framework answers these before the service sees them, so they have no problem document. */
  @ParameterizedTest
  @CsvSource({
    "?element=%, 400",
    "?element=%zz, 400",
    "?element=a%4, 400",
    "?element={a}, 400",
    "?element=a|b, 400"
  })
  void invalidUrlsAreRefused(String query, int status) {
    var target = Api.FILTERS + name + "/test" + query;
    assertEquals(status, RawHttp.send("GET", target, "", new byte[0]).status());
    nothingChanged();
  }

  @Test
  void aUrlThatIsTooLongIsRefused() {
    var target = Api.FILTERS + name + "/test?element=" + "a".repeat(10_000);
    assertEquals(414, RawHttp.send("GET", target, "", new byte[0]).status());
  }
}
