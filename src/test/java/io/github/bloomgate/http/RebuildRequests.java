package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.endsWith;

import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.Map;

/** The requests of a rebuild with their expected responses. */
abstract class RebuildRequests {

  static String path(String name) {
    return Api.FILTERS + name + "/rebuild";
  }

  static ValidatableResponse open(String name, String body) {
    return Api.post(name, "rebuild", body);
  }

  static String idOf(ValidatableResponse opened) {
    return opened.statusCode(201).header("Location", endsWith("/rebuild")).extract().path("id");
  }

  static ValidatableResponse load(String name, String... elements) {
    return Api.post(name, "rebuild/add", Map.of("elements", List.of(elements)));
  }

  static ValidatableResponse commit(String name, String body) {
    return Api.post(name, "rebuild/commit", body);
  }

  static ValidatableResponse abort(String name) {
    return given().delete(path(name)).then();
  }

  static ValidatableResponse abort(String name, String id) {
    return given().delete(path(name) + "?id=" + id).then();
  }

  static void assertNoRebuild(String name) {
    Api.refused(404, "REBUILD_NOT_FOUND", given().get(path(name)).then());
  }
}
