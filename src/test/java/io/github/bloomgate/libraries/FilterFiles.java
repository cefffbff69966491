package io.github.bloomgate.libraries;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.TestExtent;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

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

  /**
   * Truncates a file at every byte and alters every byte: each of these files is refused without
   * any change, or becomes a filter whose export equals the file.
   *
   * @param export the format of the export
   * @param exported the expected export of a file
   */
  static void assertEveryAlteredFileIsRefusedOrKept(
      String query, byte[] file, String export, UnaryOperator<byte[]> exported, Random random) {
    var before = loaded(query, file);
    var description = describe(before).extract().asString();
    var places = IntStream.range(0, file.length).boxed().toList();
    for (var length : TestExtent.some(places)) {
      refuseOrKeep(query, Arrays.copyOf(file, length), export, exported);
      assertRefused(load(before, query, Arrays.copyOf(file, length)));
    }
    for (var at : TestExtent.some(places)) {
      for (var value : new int[] {file[at] ^ 1 << random.nextInt(8), random.nextInt(256), 0, -1}) {
        var altered = file.clone();
        altered[at] = (byte) value;
        refuseOrKeep(query, altered, export, exported);
      }
    }
    for (var more : new int[] {1, 8, 100_000}) {
      var longer = Arrays.copyOf(file, file.length + more);
      assertRefused(load(before, query, longer));
      refuseOrKeep(query, longer, export, exported);
    }
    assertEquals(description, describe(before).extract().asString());
    assertArrayEquals(exported.apply(file), exported(before, export));
    delete(before).statusCode(204);
  }

  /** Whether it was kept. */
  static boolean refuseOrKeep(
      String query, byte[] file, String export, UnaryOperator<byte[]> exported) {
    var name = newName();
    var response = load(name, query, file);
    if (response.extract().statusCode() == 201) {
      assertArrayEquals(exported.apply(file), exported(name, export));
      delete(name).statusCode(204);
      return true;
    }
    assertRefused(response);
    describe(name).statusCode(404);
    return false;
  }

  private static void assertRefused(ValidatableResponse response) {
    var body = response.extract().asString();
    assertEquals(422, response.extract().statusCode(), body);
    assertTrue(body.contains("CORRUPT_IMPORT") || body.contains("LIMIT_EXCEEDED"), body);
  }
}
