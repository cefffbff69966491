package io.github.bloomgate.http.security;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Parses the lines of keys in a file or a property. */
final class KeyLines {

  private KeyLines() {}

  /**
   * Reads the keys of a file by id. Ignores blank lines and those starting with #.
   *
   * @throws InvalidKeysException if a line is invalid or an id occurs twice
   */
  static Map<String, ApiKey> ofFile(String text) {
    return read(text.split("\\R"));
  }

  /** Reads the keys of a property, whose lines may end with semicolons too. */
  static Map<String, ApiKey> ofProperty(String text) {
    return read(text.split("\\R|;"));
  }

  private static Map<String, ApiKey> read(String... lines) {
    var keys = new HashMap<String, ApiKey>();
    var number = 0;
    for (var line : lines) {
      number++;
      var content = line.strip();
      if (content.isEmpty() || content.startsWith("#")) {
        continue;
      }
      var key = parse(number, content);
      if (Optional.ofNullable(keys.put(key.id(), key)).isPresent()) {
        throw new InvalidKeysException(
            "line %d has the id '%s' again; two keys need two ids".formatted(number, key.id()));
      }
    }
    return keys;
  }

  private static ApiKey parse(int number, String content) {
    try {
      return ApiKey.parse(content);
    } catch (IllegalArgumentException invalid) {
      throw new InvalidKeysException("line %d %s".formatted(number, invalid.getMessage()));
    }
  }
}
