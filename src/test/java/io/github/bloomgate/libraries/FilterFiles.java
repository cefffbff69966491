package io.github.bloomgate.libraries;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.bloomgate.http.Api;
import io.restassured.response.ValidatableResponse;
import java.util.HexFormat;
import java.util.List;

/** Files in libraries' formats, and elements in hex. */
final class FilterFiles {

  private FilterFiles() {}

  static ValidatableResponse load(String name, String format, byte[] file) {
    return Api.load(name, "?format=" + format, file);
  }

  /** Creates a filter from a file. */
  static String loaded(String format, byte[] file) {
    var name = Api.newName();
    load(name, format, file).statusCode(201);
    return name;
  }

  static ValidatableResponse export(String name, String format) {
    return Api.export(name, "?format=" + format);
  }

  static byte[] exported(String name, String format) {
    return Api.exported(name, "?format=" + format);
  }

  static void addHex(String name, List<String> elements) {
    Api.addEncoded(name, "hex", elements).statusCode(200);
  }

  /** Tests elements given in hex. */
  static List<Boolean> test(String name, List<String> elements) {
    return Api.testEncoded(name, "hex", elements)
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
