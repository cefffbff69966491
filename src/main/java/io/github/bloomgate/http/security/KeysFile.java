package io.github.bloomgate.http.security;

import io.github.bloomgate.config.Exposure;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The file that keys are kept in. */
final class KeysFile {

  /** More is no file of keys. */
  private static final int MAX_BYTES = 1 << 20;

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
      if (Files.size(path) > MAX_BYTES) {
        throw problem("is larger than %d bytes".formatted(MAX_BYTES));
      }
      if (Exposure.isOpenToAll(path)) {
        throw problem(
            "may be changed or replaced by every account of this machine: take that right away from others, by chmod o-w, from the file and the folders above it");
      }
      return Files.readString(path);
    } catch (CharacterCodingException binary) {
      throw problem("is not text in UTF-8");
    } catch (IOException unreadable) {
      throw problem("cannot be read (%s)".formatted(unreadable));
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
