package io.github.bloomgate.libraries;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.PlainHttp;
import java.util.HexFormat;
import java.util.List;

/** Elements as a request sends them, and the answers for each of them. */
record Elements(String encoding, List<String> elements) {

  static Elements ofTexts(String... texts) {
    return ofTexts(List.of(texts));
  }

  static Elements ofTexts(List<String> texts) {
    return new Elements("utf-8", texts);
  }

  static Elements ofHex(List<String> digits) {
    return new Elements("hex", digits);
  }

  Elements asTexts() {
    return ofTexts(
        elements.stream().map(hex -> new String(HexFormat.of().parseHex(hex), UTF_8)).toList());
  }

  List<Boolean> addTo(String filter) {
    return flags(send(filter, "/add").path("added"));
  }

  List<Boolean> testIn(String filter) {
    return flags(send(filter, "/test").path("mightContain"));
  }

  private JsonNode send(String filter, String operation) {
    return PlainHttp.call(200, "POST", Api.FILTERS + filter + operation, this).json();
  }

  static List<Boolean> flags(JsonNode array) {
    return array.valueStream().map(JsonNode::asBoolean).toList();
  }
}
