package io.github.bloomgate.libraries;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Imports and exports of files, with assertions for all of them. */
final class FilterFiles {

  private static final String FILTERS = "/v1/filters/";

  private FilterFiles() {}

  static String newName() {
    return "file-" + UUID.randomUUID();
  }

  static ValidatableResponse create(String name, Map<String, ?> parameters) {
    return given().contentType(ContentType.JSON).body(parameters).put(FILTERS + name).then();
  }

  static ValidatableResponse load(String name, String query, byte[] file) {
    return given()
        .contentType("application/octet-stream")
        .body(file)
        .put(FILTERS + name + "/import?format=" + query)
        .then();
  }

  /** Makes a new filter of a file. */
  static String loaded(String query, byte[] file) {
    var name = newName();
    load(name, query, file).statusCode(201);
    return name;
  }

  static ValidatableResponse export(String name, String format) {
    return given().get(FILTERS + name + "/export?format=" + format).then();
  }

  static byte[] exported(String name, String format) {
    return export(name, format).statusCode(200).extract().asByteArray();
  }

  static ValidatableResponse describe(String name) {
    return given().get(FILTERS + name).then();
  }

  static ValidatableResponse delete(String name) {
    return given().delete(FILTERS + name).then();
  }

  static void add(String name, String... elements) {
    addHex(name, Arrays.stream(elements).map(FilterFiles::hex).toList());
  }

  static void addHex(String name, List<String> elements) {
    given()
        .contentType(ContentType.JSON)
        .body(Map.of("elements", elements, "encoding", "hex"))
        .post(FILTERS + name + "/add")
        .then()
        .statusCode(200);
  }

  /** Tests elements given in hex. */
  static List<Boolean> test(String name, List<String> elements) {
    return given()
        .contentType(ContentType.JSON)
        .body(Map.of("elements", elements, "encoding", "hex"))
        .post(FILTERS + name + "/test")
        .then()
        .statusCode(200)
        .extract()
        .jsonPath()
        .getList("mightContain", Boolean.class);
  }

  static List<Boolean> testTexts(String name, List<String> elements) {
    return test(name, elements.stream().map(FilterFiles::hex).toList());
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(UTF_8));
  }
}
