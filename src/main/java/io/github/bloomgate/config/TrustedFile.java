package io.github.bloomgate.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Reads small security-relevant text files, which other accounts must not be able to change. */
public final class TrustedFile {

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private static final Pattern LINE_END = Pattern.compile("\\R\\z");

  private TrustedFile() {}

  /**
   * Reads all lines of a file whose lines must not be cut off, such as before a limit or in the
   * middle of a secret.
   *
   * @throws IllegalArgumentException as {@link #read}, or if the last line has no end
   */
  public static List<String> readLines(Path path, int maxBytes) {
    var text = read(path, maxBytes);
    if (!text.isEmpty() && !LINE_END.matcher(text).find()) {
      throw new IllegalArgumentException(
          "ends in the middle of a line, so part of it may be missing: write the file again, with a line end after its last line");
    }
    return List.of(text.split("\\R"));
  }

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
