package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.port;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Errors about media types name the type of the request, the supported types, and the option of
 * curl.
 */
@QuarkusTest
class MediaTypeErrorsTest {

  private static final String JSON = "-H 'Content-Type: application/json' -d '{...}'";
  private static final String TEXT = "-H 'Content-Type: text/plain' --data-binary @FILE";

  @ParameterizedTest
  @CsvSource({
    "PUT, '', application/x-www-form-urlencoded",
    "POST, /rename, application/x-www-form-urlencoded",
    "POST, /add, application/json;charset=utf-16",
    "POST, /add, garbage",
    "POST, /test, ''",
  })
  void aWrongTypeInsteadOfJsonIsReported(String method, String path, String type) throws Exception {
    var reported = reported(method, path, type);

    assertTrue(reported.contains(JSON), reported);
    assertTrue(reported.contains("application/json in UTF-8"), reported);
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, /elements, application/x-www-form-urlencoded",
    "POST, /add, text/csv",
    "POST, /rebuild/add, ''",
    "POST, /test, text/plain;charset=utf-16",
  })
  void aWrongTypeInsteadOfLinesIsReported(String method, String path, String type)
      throws Exception {
    var reported = reported(method, path, type);

    assertTrue(reported.contains(TEXT), reported);
    assertTrue(reported.contains("text/plain in UTF-8"), reported);
  }

  @Test
  void anImportHasAnotherMediaType() throws Exception {
    var reported = reported("PUT", "/import", "text/plain");

    assertTrue(reported.contains("takes application/octet-stream."), reported);
  }

  /** Sends the request with a client that does not add a type. */
  private static String reported(String method, String path, String type) throws Exception {
    var uri = "http://localhost:%d%s%s%s".formatted(port, Api.FILTERS, Api.newName(), path);
    var request =
        HttpRequest.newBuilder(URI.create(uri)).method(method, BodyPublishers.ofString("a"));
    if (!type.isEmpty()) {
      request.header("Content-Type", type);
    }
    var answer = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    assertEquals(415, answer.statusCode(), answer.body());
    assertTrue(
        answer
            .body()
            .contains(
                type.isEmpty() ? "has no Content-Type" : "The Content-Type is '%s".formatted(type)),
        answer.body());
    return answer.body();
  }

  @Test
  void anEmptyBodyIsReportedWithTheRemedy() {
    String detail =
        given()
            .contentType("application/json")
            .put(Api.FILTERS + Api.newName())
            .then()
            .statusCode(400)
            .extract()
            .path("detail");

    assertTrue(detail.contains("body is missing; send a JSON object, with curl: " + JSON), detail);
  }

  @ParameterizedTest
  @CsvSource({
    "'', text/html, application/json",
    "'', garbage, application/json",
    "/export, text/html, application/octet-stream",
  })
  void anUnacceptableResponseIsReported(String path, String accept, String type) {
    var answer = given().header("Accept", accept).get(Api.FILTERS + Api.newFilter() + path);

    assertEquals(406, answer.statusCode());
    String detail = answer.path("detail");
    assertTrue(detail.contains("The Accept header '%s' excludes".formatted(accept)), detail);
    assertTrue(detail.contains("-H 'Accept: %s'".formatted(type)), detail);
  }
}
