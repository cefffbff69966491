package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.not;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Errors of beginners name the request that works. */
@QuarkusTest
class AdviceTest {

  @Test
  void aFilterIsCreatedWithPut() {
    for (var path : new String[] {"/v1/filters", "/v1/filters/users"}) {
      given()
          .contentType("application/json")
          .body("{\"expectedInsertions\": 10}")
          .post(path)
          .then()
          .statusCode(405)
          .body("detail", containsString("Create a filter with PUT"));
    }
  }

  @Test
  void curlSendsFilesWithPut() {
    var name = Api.newFilter();
    for (var path : new String[] {"/add", "/test", "/rebuild/add"}) {
      given()
          .contentType("text/plain")
          .body("a\n")
          .put(Api.FILTERS + name + path)
          .then()
          .statusCode(405)
          .body("detail", endsWith("Send POST; curl -T sends PUT unless you add -X POST."));
    }
    given()
        .contentType("text/plain")
        .body("a\n")
        .post(Api.FILTERS + name + "/elements")
        .then()
        .statusCode(405)
        .body("detail", endsWith("Send PUT; with curl: -X PUT."));
  }

  /** Deleting a filter loses its elements, and tests of them would answer "no". */
  @Test
  void anotherCapacityNeedsARebuild() {
    var name = Api.newFilter("{\"expectedInsertions\": 10}");
    var rebuild = "POST /v1/filters/" + name + "/rebuild";
    Api.refused(409, "FILTER_EXISTS", Api.put(name, "{\"expectedInsertions\": 20}"))
        .body("detail", containsString("rebuild it with these parameters: " + rebuild));
    Api.refused(
            409, "FILTER_EXISTS", Api.put(name, "{\"expectedInsertions\": 10, \"counting\": true}"))
        .body("detail", not(containsString("rebuild it")))
        .body("detail", containsString("delete it first"));
    var full = Api.newFilter("{\"expectedInsertions\": 1, \"whenFull\": \"reject\"}");
    Api.refused(409, "FILTER_FULL", Api.add(full, "a", "b", "c"))
        .body("detail", containsString("POST /v1/filters/" + full + "/rebuild"));
  }

  @Test
  void aFileWithAMistakeMustBeFixed() {
    var name = Api.newFilter();
    for (var file :
        new byte[][] {
          "\ufeffa\nb\n".getBytes(StandardCharsets.UTF_8),
          "\ufeffa\nb\n".getBytes(StandardCharsets.UTF_16LE)
        }) {
      Api.refused(400, "INVALID_REQUEST", lines(name, file))
          .body(
              "detail",
              endsWith(
                  "The stream stopped at line 1; nothing was added. Fix the file and send it again."));
    }
    Api.refused(400, "INVALID_REQUEST", lines(name, "a\nb\rc\n".getBytes(StandardCharsets.UTF_8)))
        .body("detail", endsWith("1 element was added. Fix the file and send the rest again."));
  }

  private static ValidatableResponse lines(String name, byte[] body) {
    return Api.lines("text/plain", "").body(body).post(Api.FILTERS + name + "/add").then();
  }

  @Test
  void theNearestFieldIsSuggested() {
    Api.refused(400, "INVALID_REQUEST", Api.put(Api.newName(), "{\"expectedInsertion\": 10}"))
        .body(
            "detail",
            containsString(
                "expectedInsertion is not a field of this request; did you mean"
                    + " expectedInsertions? Nothing was changed"));
    Api.refused(400, "INVALID_REQUEST", Api.raw().get("/v1/filters?limt=5").then())
        .body("detail", endsWith("does not support; did you mean limit?"));
    Api.refused(400, "INVALID_REQUEST", Api.raw().get("/v1/filters?colour=5").then())
        .body("detail", endsWith("it supports cursor, figures, limit, prefix."));
  }
}
