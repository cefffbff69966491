package io.github.bloomgate.http.security;

import io.github.bloomgate.config.Exposure;
import io.github.bloomgate.config.TrustedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

final class KeysFile {

  private static final int MAX_BYTES = 1 << 20;

  private static final Pattern LINE_END = Pattern.compile("\\R\\z");

  private final Path path;

  KeysFile(Path path) {
    this.path = path;
  }

  /**
   * Reads the keys; fails if there are none, so that emptying the file does not open the service.
   *
   * @throws InvalidKeysException if it cannot be read, a line is invalid, or there is no key
   */
  Map<String, ApiKey> read() {
    var keys = keysOf(text());
    if (keys.isEmpty()) {
      throw problem("has no key");
    }
    return keys;
  }

  private Map<String, ApiKey> keysOf(String lines) {
    try {
      return ApiKey.parseAll(lines.split("\\R"));
    } catch (InvalidKeysException invalid) {
      throw problem("cannot be used: " + invalid.getMessage());
    }
  }

  private String text() {
    try {
      var text = TrustedFile.read(path, MAX_BYTES);
      // A line cut off before its prefixes or quota would be a key without limits.
      if (!text.isEmpty() && !LINE_END.matcher(text).find()) {
        throw problem(
            "ends in the middle of a line, so part of it may be missing: write the file again, with a line end after its last line");
      }
      return text;
    } catch (IllegalArgumentException refused) {
      throw problem(refused.getMessage());
    }
  }

  /** Whether its group may change it. */
  boolean isOpenToGroup() {
    try {
      return Exposure.of(path).byGroup().mayWrite();
    } catch (IOException gone) {
      // The next read reports it.
      return false;
    }
  }

  private InvalidKeysException problem(String what) {
    return new InvalidKeysException("The keys file %s %s.".formatted(path, what));
  }
}
