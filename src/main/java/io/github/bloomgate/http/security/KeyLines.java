package io.github.bloomgate.http.security;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The lines of keys, as they are in a file or a property. */
final class KeyLines {

  private KeyLines() {}

  /**
   * Reads keys by their ids. Lines that are blank or begin with # say nothing.
   *
   * @param text lines, divided by line ends or semicolons
   * @throws InvalidKeysException if a line is no key, or an id comes again
   */
  static Map<String, ApiKey> read(String text) {
    var keys = new HashMap<String, ApiKey>();
    var number = 0;
    for (var line : text.split("\\R|;")) {
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
