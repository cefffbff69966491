package io.github.bloomgate.http.security;

import io.github.bloomgate.config.Exposure;
import io.github.bloomgate.config.TrustedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/** The file that keys are kept in. */
final class KeysFile {

  /** More is no file of keys. */
  private static final int MAX_BYTES = 1 << 20;

  private static final Pattern LINE_END = Pattern.compile("\\R\\z");

  private final Path path;

  KeysFile(Path path) {
    this.path = path;
  }

  /**
   * What it says now; never no key at all, so that nobody opens the service by emptying it.
   *
   * @throws InvalidKeysException if it cannot be read, or a line is no key
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
      return KeyLines.ofFile(lines);
    } catch (InvalidKeysException invalid) {
      throw problem("cannot be used: " + invalid.getMessage());
    }
  }

  private String text() {
    try {
      var text = TrustedFile.read(path, MAX_BYTES);
      // Cut off before its prefixes or its quota, a line would be that of a key without them.
      if (!text.isEmpty() && !LINE_END.matcher(text).find()) {
        throw problem(
            "ends within a line, so part of it may be missing: write the file again, with a line end behind its last line");
      }
      return text;
    } catch (IllegalArgumentException refused) {
      throw problem(refused.getMessage());
    }
  }

  /** Whether a group of accounts may change it. */
  boolean isOpenToGroup() {
    try {
      return Exposure.of(path).byGroup().mayWrite();
    } catch (IOException gone) {
      // The next read says so.
      return false;
    }
  }

  private InvalidKeysException problem(String what) {
    return new InvalidKeysException("The keys file %s %s.".formatted(path, what));
  }
}
