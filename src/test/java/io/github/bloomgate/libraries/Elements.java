package io.github.bloomgate.libraries;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;
import java.util.List;

/** Elements as a request sends them. */
record Elements(String encoding, List<String> elements) {

  static Elements ofTexts(List<String> texts) {
    return new Elements("utf-8", texts);
  }

  static Elements ofBytes(List<byte[]> elements) {
    return new Elements("hex", elements.stream().map(HexFormat.of()::formatHex).toList());
  }

  /** The same elements as UTF-8 text. */
  Elements asTexts() {
    return ofTexts(
        elements.stream().map(hex -> new String(HexFormat.of().parseHex(hex), UTF_8)).toList());
  }
}
