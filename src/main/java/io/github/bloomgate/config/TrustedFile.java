package io.github.bloomgate.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads small security-relevant text files, which other accounts must not be able to change. */
public final class TrustedFile {

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private TrustedFile() {}

  /**
   * Reads a whole file.
   *
   * @throws IllegalArgumentException if it is not trustworthy or not readable as UTF-8 text; the
   *     message completes "the file ..." and quotes nothing of its content
   */
  public static String read(Path path, int maxBytes) {
    try {
      if (Files.size(path) > maxBytes) {
        throw new IllegalArgumentException("is larger than %d bytes".formatted(maxBytes));
      }
      Exposure.distrust(path)
          .ifPresent(
              reason -> {
                throw new IllegalArgumentException(reason);
              });
      var text = Files.readString(path);
      if (text.startsWith(BYTE_ORDER_MARK)) {
        throw new IllegalArgumentException(
            "begins with a byte order mark, which some Windows editors write: save it as UTF-8 without one");
      }
      return text;
    } catch (CharacterCodingException binary) {
      throw new IllegalArgumentException("is not text in UTF-8: save it in that encoding", binary);
    } catch (IOException unreadable) {
      throw new IllegalArgumentException("cannot be read (%s)".formatted(unreadable), unreadable);
    }
  }
}
