package io.github.bloomgate.libraries;

import io.github.bloomgate.http.Api;
import io.restassured.response.ValidatableResponse;

/** Files in libraries' formats. */
final class FilterFiles {

  private FilterFiles() {}

  static ValidatableResponse load(String name, String format, byte[] file) {
    return Api.load(name, "?format=" + format, file);
  }

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
}
