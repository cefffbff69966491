package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;

import io.restassured.response.ValidatableResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;

/** Requests to the source of a filter. */
abstract class SourceRequests {

  static final Path FOLDER = Path.of("target/test-sources");

  @BeforeAll
  static void makeFolder() throws IOException {
    Files.createDirectories(FOLDER);
  }

  static String path(String name) {
    return Api.FILTERS + name + "/source";
  }

  static ValidatableResponse put(String name, String body) {
    return Api.json(body).put(path(name)).then();
  }

  static ValidatableResponse source(String name) {
    return given().get(path(name)).then();
  }

  static ValidatableResponse run(String name) {
    return given().post(Api.FILTERS + name + "/rebuild/run").then();
  }
}
